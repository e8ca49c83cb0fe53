package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.protocol.TxCore;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One batch that runs through the production pipeline. The pipeline calls its ports as if they
 * answered at once. A port that takes time throws {@link Suspended} out of the pipeline. When its
 * answer arrives the pipeline runs again from the start, and every earlier call is answered from
 * memory. So one thread simulates any number of batches. This also checks that the pipeline depends
 * on nothing but its ports: the second run must make the same calls.
 */
final class BatchRun {

  /** Unwinds the pipeline. An Error, because the pipeline catches exceptions. */
  static final class Suspended extends Error {
    private static final long serialVersionUID = 1L;

    private Suspended() {
      super("waiting for a port", null, false, false);
    }
  }

  /** Simulates the death of the process at this place. */
  static final class Crash extends Error {
    private static final long serialVersionUID = 1L;

    Crash() {
      super("the process dies", null, false, false);
    }
  }

  private record Call(String port, Object argument, Outcome<?> answer) {}

  private final ShardNode shard;
  private final List<SpendRequest<Request>> requests;
  private final Consumer<List<Outcome<SimulatedPartial>>> finished;
  private final Set<TxCore> hopeless;
  private final int life;
  private final List<Call> answered = new ArrayList<>();
  private int next;
  private boolean over;

  /**
   * Makes a run.
   *
   * @param hopeless the cores of the batch that cannot succeed, for the oracle
   * @param life the life of the database that showed it
   */
  BatchRun(
      ShardNode shard,
      List<SpendRequest<Request>> requests,
      Set<TxCore> hopeless,
      int life,
      Consumer<List<Outcome<SimulatedPartial>>> finished) {
    this.shard = shard;
    this.requests = requests;
    this.hopeless = hopeless;
    this.life = life;
    this.finished = finished;
  }

  List<SpendRequest<Request>> requests() {
    return requests;
  }

  int hopelessInLife(TxCore core) {
    return hopeless.contains(core) ? life : ReserveTransaction.HOPEFUL;
  }

  /** The process died: later answers have no effect. */
  void abandon() {
    over = true;
  }

  /** Runs until a port takes time, or to the end. */
  void proceed() {
    next = 0;
    List<Outcome<SimulatedPartial>> outcomes;
    try {
      outcomes = shard.runPipeline(this);
    } catch (Suspended e) {
      return;
    } catch (Crash e) {
      shard.crash(shard.restartTicks());
      return;
    }
    over = true;
    finished.accept(outcomes);
  }

  /** Calls a port that answers at once. */
  <T> T now(String port, Object argument, Supplier<T> work) {
    Call earlier = replay(port, argument);
    if (earlier != null) {
      return answer(earlier);
    }
    Call call = new Call(port, argument, outcome(work));
    remember(call);
    return answer(call);
  }

  /** Calls a port that answers by a callback, perhaps at once. */
  <T> T later(String port, Object argument, Consumer<Consumer<Outcome<T>>> start) {
    Call earlier = replay(port, argument);
    if (earlier != null) {
      return answer(earlier);
    }
    Reply<T> reply = new Reply<>(port, argument);
    start.accept(reply);
    reply.awaited = true;
    if (reply.call == null) {
      throw new Suspended();
    }
    return answer(reply.call);
  }

  private final class Reply<T> implements Consumer<Outcome<T>> {
    private final String port;
    private final Object argument;
    private boolean awaited;
    private @Nullable Call call;

    Reply(String port, Object argument) {
      this.port = port;
      this.argument = argument;
    }

    @Override
    public void accept(Outcome<T> outcome) {
      if (over || call != null) {
        return;
      }
      call = new Call(port, argument, outcome);
      remember(call);
      if (awaited) {
        proceed();
      }
    }
  }

  private @Nullable Call replay(String port, Object argument) {
    if (next == answered.size()) {
      return null;
    }
    Call earlier = answered.get(next++);
    if (!earlier.port().equals(port) || !earlier.argument().equals(argument)) {
      throw new Violation(
          Violation.Kind.NOT_DETERMINISTIC,
          "called " + port + " where it called " + earlier.port() + " before");
    }
    return earlier;
  }

  private void remember(Call call) {
    answered.add(call);
    next = answered.size();
  }

  /** The answer of a call; the pipeline repeats the call with the same type. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T> T answer(Call call) {
    return ((Outcome<T>) call.answer()).get();
  }

  private static <T> Outcome<T> outcome(Supplier<T> work) {
    try {
      return Outcome.done(work.get());
    } catch (RuntimeException e) {
      return Outcome.failed(e);
    }
  }
}
