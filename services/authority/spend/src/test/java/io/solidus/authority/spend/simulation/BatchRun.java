package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Spend;
import io.solidus.protocol.TxCore;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One batch on its way through the production pipeline, which calls its ports as if they answered
 * at once. Here a port may take its time: the call then throws {@link Suspended} out of the
 * pipeline, and when the answer is there the pipeline runs again from its beginning, with every
 * earlier call answered from memory. So one thread simulates any number of batches, and whether the
 * pipeline depends on anything but its ports is checked on the way: the second run must make the
 * same calls.
 */
final class BatchRun {

  /** Unwinds the pipeline; an Error, which it must let pass. */
  static final class Suspended extends Error {
    private static final long serialVersionUID = 1L;

    private Suspended() {
      super("waiting for a port", null, false, false);
    }
  }

  /** The process dies at this very place. */
  static final class Crash extends Error {
    private static final long serialVersionUID = 1L;

    Crash() {
      super("the process dies", null, false, false);
    }
  }

  private static final Suspended SUSPENDED = new Suspended();

  private record Call(String port, Object argument, Outcome<?> answer) {}

  private final ShardNode shard;
  private final List<Spend<Request>> spends;
  private final Consumer<List<Outcome<Partial>>> finished;
  private final Set<TxCore> hopeless;
  private final int life;
  private final List<Call> answered = new ArrayList<>();
  private int next;
  private boolean over;

  /**
   * @param hopeless the cores of the batch that cannot succeed, for the oracle
   * @param life the life of the database that showed it
   */
  BatchRun(
      ShardNode shard,
      List<Spend<Request>> spends,
      Set<TxCore> hopeless,
      int life,
      Consumer<List<Outcome<Partial>>> finished) {
    this.shard = shard;
    this.spends = spends;
    this.hopeless = hopeless;
    this.life = life;
    this.finished = finished;
  }

  List<Spend<Request>> spends() {
    return spends;
  }

  int hopelessInLife(TxCore core) {
    return hopeless.contains(core) ? life : Reserving.HOPEFUL;
  }

  /** The process died: whatever comes now, comes too late. */
  void abandon() {
    over = true;
  }

  /** Runs until the next port that takes its time, or to the end. */
  void proceed() {
    next = 0;
    List<Outcome<Partial>> outcomes;
    try {
      outcomes = shard.runPipeline(this);
    } catch (Suspended waiting) {
      return;
    } catch (Crash crash) {
      shard.crash(shard.restartTicks());
      return;
    }
    over = true;
    finished.accept(outcomes);
  }

  /** A port that answers at once. */
  <T> T now(String port, Object argument, Supplier<T> work) {
    Call earlier = replay(port, argument);
    if (earlier != null) {
      return answer(earlier);
    }
    Call call = new Call(port, argument, outcome(work));
    remember(call);
    return answer(call);
  }

  /** A port that answers when it calls back, perhaps at once. */
  <T> T later(String port, Object argument, Consumer<Consumer<Outcome<T>>> start) {
    Call earlier = replay(port, argument);
    if (earlier != null) {
      return answer(earlier);
    }
    Reply<T> reply = new Reply<>(port, argument);
    start.accept(reply);
    reply.waitedFor = true;
    if (reply.call == null) {
      throw SUSPENDED;
    }
    return answer(reply.call);
  }

  private final class Reply<T> implements Consumer<Outcome<T>> {
    private final String port;
    private final Object argument;
    private boolean waitedFor;
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
      if (waitedFor) {
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

  @SuppressWarnings("unchecked")
  private static <T> T answer(Call call) {
    return ((Outcome<T>) call.answer()).get();
  }

  private static <T> Outcome<T> outcome(Supplier<T> work) {
    try {
      return Outcome.done(work.get());
    } catch (RuntimeException no) {
      return Outcome.failed(no);
    }
  }
}
