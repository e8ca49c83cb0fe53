package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.Ledger.Done;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Siblings.Claim;
import io.solidus.authority.spend.Spend;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One shard process: forms batches, runs the production pipeline on them and answers its siblings.
 * It keeps nothing over a crash.
 */
final class ShardNode {

  private static final int LARGEST_BATCH = 8;

  private record Waiting(Request request, Consumer<Outcome<Partial>> reply) {}

  private final World world;
  private final Authority authority;
  private final int index;
  private final Pipelines.Pipeline pipeline;
  private final List<Waiting> queue = new ArrayList<>();
  private final Set<BatchRun> running = new HashSet<>();
  private @Nullable BatchRun current;
  private RangeMap map;
  private int life;
  private boolean up = true;
  private boolean forming;

  ShardNode(World world, Authority authority, int index, RangeMap map) {
    this.world = world;
    this.authority = authority;
    this.index = index;
    this.map = map;
    this.pipeline = world.pipelines().make(new ShardPorts(world, authority, this));
  }

  String name() {
    return authority.name() + "." + index;
  }

  int index() {
    return index;
  }

  boolean up() {
    return up;
  }

  RangeMap map() {
    return map;
  }

  BatchRun current() {
    return Objects.requireNonNull(current);
  }

  void learn(RangeMap newer) {
    if (newer.version() > map.version()) {
      map = newer;
    }
  }

  int restartTicks() {
    return world.dice().between(5, 60);
  }

  void crash(int ticks) {
    world.note(() -> name() + " crashes");
    world.saw(Happening.SHARD_CRASHED);
    life++;
    up = false;
    forming = false;
    queue.clear();
    running.forEach(BatchRun::abandon);
    running.clear();
    int now = life;
    world.agenda().in(ticks, () -> restart(now));
  }

  private void restart(int fallen) {
    if (up || life != fallen) {
      return;
    }
    if (authority.database().up()) {
      up = true;
      learn(authority.database().tables().map);
    } else {
      world.agenda().in(5, () -> restart(fallen));
    }
  }

  /** A request from outside; no reply comes from a process that is down. */
  void submit(Request request, Consumer<Outcome<Partial>> reply) {
    if (!up) {
      return;
    }
    try {
      world.rules().decode(request);
    } catch (ProtocolException malformed) {
      reply.accept(Outcome.failed(malformed));
      return;
    }
    queue.add(new Waiting(request, reply));
    form();
  }

  private void form() {
    if (forming || queue.isEmpty()) {
      return;
    }
    forming = true;
    int now = life;
    world
        .agenda()
        .in(
            world.dice().between(0, 4),
            () -> {
              if (life == now) {
                forming = false;
                take();
                form();
              }
            });
  }

  private void take() {
    List<Waiting> batch = List.copyOf(queue.subList(0, Math.min(LARGEST_BATCH, queue.size())));
    queue.subList(0, batch.size()).clear();
    List<Spend<Request>> spends = batch.stream().map(w -> spend(w.request())).toList();
    Set<TxCore> known = known(spends);
    int life = authority.database().life();
    BatchRun[] run = new BatchRun[1];
    run[0] =
        new BatchRun(
            this,
            spends,
            world.oracle().hopeless(authority, spends),
            life,
            outcomes -> {
              running.remove(run[0]);
              Set<TxCore> stillKnown = known(spends);
              for (int i = 0; i < batch.size(); i++) {
                TxCore core = spends.get(i).core();
                boolean answerable = known.contains(core) && stillKnown.contains(core);
                Outcome<Partial> outcome = outcomes.get(i);
                world.note(() ->
                    name() + " answers " + core.hex().substring(0, 6) + " " + describe(outcome));
                // an answer that was read before a crash or failover may have been visible and not
                // durable
                if (outcome instanceof Outcome.Done<Partial>
                    && life == authority.database().life()) {
                  authority.hasAnswered(core);
                }
                world.oracle().answered(this, batch.get(i).request(), outcome, answerable);
                batch.get(i).reply().accept(outcome);
              }
            });
    running.add(run[0]);
    world.note(() ->
        name() + " takes " + spends.stream().map(s -> s.request().transfer().name()).toList());
    run[0].proceed();
  }

  private static String describe(Outcome<Partial> outcome) {
    return outcome instanceof Outcome.Failed<Partial> failed
        ? failed.reason().getMessage()
        : "signed";
  }

  /**
   * The cores that this shard has an answer to: stored here, or given before by whoever had the
   * range that is here now.
   */
  private Set<TxCore> known(List<Spend<Request>> spends) {
    Tables.Schema schema = authority.database().tables().shards.get(index);
    Set<TxCore> known = new HashSet<>();
    for (Spend<Request> spend : spends) {
      Tables.CoreRow row = schema == null ? null : schema.cores.get(spend.core());
      boolean given =
          schema != null
              && schema.ownership.covers(spend.lead())
              && authority.answers(spend.core());
      if (given || row != null && row.answer() != null) {
        known.add(spend.core());
      }
    }
    return known;
  }

  static Spend<Request> spend(Request request) {
    return new Spend<>(request.transfer().core(), request.transfer().serials(), request);
  }

  List<Outcome<Partial>> runPipeline(BatchRun run) {
    BatchRun outer = current;
    current = run;
    try {
      return pipeline.run(run.spends());
    } finally {
      current = outer;
    }
  }

  /** What a sibling asks before it reserves anything. */
  void holders(List<SerialNumber> serials, Consumer<Outcome<Map<SerialNumber, TxCore>>> reply) {
    try {
      reply.accept(
          Outcome.done(authority.database().read(tables -> holders(tables.of(index), serials))));
    } catch (ProtocolException no) {
      reply.accept(Outcome.failed(no));
    }
  }

  /** A range that was given away is not this shard's to speak about. */
  private Map<SerialNumber, TxCore> holders(Tables.Schema schema, List<SerialNumber> serials) {
    if (!serials.stream().allMatch(schema.ownership::covers)
        && !world.mutated(Mutation.HOLDERS_OF_A_MOVED_RANGE)) {
      throw moved();
    }
    return ShardPorts.holders(schema, serials);
  }

  /** What a sibling asks when its own serial numbers are held. */
  void reserve(long version, List<Claim> claims, Consumer<Outcome<List<Outcome<Done>>>> reply) {
    if (version > map.version()) {
      learn(authority.database().tables().map);
    }
    if (version != map.version()) {
      reply.accept(Outcome.done(claims.stream().map(c -> Outcome.<Done>failed(moved())).toList()));
      return;
    }
    List<Reserving.Wish> wishes =
        claims.stream()
            .map(c -> new Reserving.Wish(c.core(), c.serials(), null, Reserving.HOPEFUL))
            .toList();
    authority.database().transact(new Reserving(world, authority, this, wishes), reply);
  }

  static ProtocolException moved() {
    return new ProtocolException(RejectionCode.SHARD_MOVED, "the range moved to another shard");
  }
}
