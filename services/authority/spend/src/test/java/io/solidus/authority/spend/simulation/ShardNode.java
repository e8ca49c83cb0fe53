package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.Ok;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Siblings.Claim;
import io.solidus.authority.spend.SpendRequest;
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
 * One shard process: it forms batches, runs the production pipeline on them and answers its
 * siblings. A crash loses its memory.
 */
final class ShardNode {

  private static final int LARGEST_BATCH = 8;

  private record Waiting(Request request, Consumer<Outcome<SimulatedPartial>> reply) {}

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
    return world.random().between(5, 60);
  }

  void crash(int ticks) {
    world.note(() -> name() + " crashes");
    world.cover(CoveragePoint.SHARD_CRASHED);
    life++;
    up = false;
    forming = false;
    queue.clear();
    running.forEach(BatchRun::abandon);
    running.clear();
    int now = life;
    world.events().in(ticks, () -> restart(now));
  }

  private void restart(int fallen) {
    if (up || life != fallen) {
      return;
    }
    if (authority.database().up()) {
      up = true;
      learn(authority.database().tables().map);
    } else {
      world.events().in(5, () -> restart(fallen));
    }
  }

  /** Takes a request from a gateway; a process that is down does not reply. */
  void submit(Request request, Consumer<Outcome<SimulatedPartial>> reply) {
    if (!up) {
      return;
    }
    try {
      world.rules().decode(request);
    } catch (ProtocolException e) {
      reply.accept(Outcome.failed(e));
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
        .events()
        .in(
            world.random().between(0, 4),
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
    List<SpendRequest<Request>> requests = batch.stream().map(w -> spend(w.request())).toList();
    Set<TxCore> known = known(requests);
    int life = authority.database().life();
    BatchRun[] run = new BatchRun[1];
    run[0] =
        new BatchRun(
            this,
            requests,
            world.oracle().hopeless(authority, requests),
            life,
            outcomes -> {
              running.remove(run[0]);
              Set<TxCore> stillKnown = known(requests);
              for (int i = 0; i < batch.size(); i++) {
                TxCore core = requests.get(i).core();
                boolean answerable = known.contains(core) && stillKnown.contains(core);
                Outcome<SimulatedPartial> outcome = outcomes.get(i);
                world.note(() ->
                    name() + " answers " + core.hex().substring(0, 6) + " " + describe(outcome));
                // an answer that was read before a crash or failover may have been visible, but not
                // durable
                if (outcome instanceof Outcome.Done<SimulatedPartial> signed
                    && life == authority.database().life()) {
                  authority.markAnswered(core, signed.value().epoch());
                }
                world.oracle().answered(this, batch.get(i).request(), outcome, answerable);
                batch.get(i).reply().accept(outcome);
              }
            });
    running.add(run[0]);
    world.note(() ->
        name() + " takes " + requests.stream().map(r -> r.content().transfer().name()).toList());
    run[0].proceed();
  }

  private static String describe(Outcome<SimulatedPartial> outcome) {
    return outcome instanceof Outcome.Failed<SimulatedPartial> failed
        ? String.valueOf(failed.reason().getMessage())
        : "signed";
  }

  /**
   * The cores that this shard has an answer for in the epoch of its shares: stored here, or given
   * before by the previous owner of the range.
   */
  private Set<TxCore> known(List<SpendRequest<Request>> requests) {
    Tables.Schema schema = authority.database().tables().shards.get(index);
    Set<TxCore> known = new HashSet<>();
    for (SpendRequest<Request> request : requests) {
      Tables.CoreRow row = schema == null ? null : schema.cores.get(request.core());
      boolean given =
          schema != null
              && schema.ownership.covers(request.lead())
              && authority.answers(request.core());
      SimulatedPartial stored = row == null ? null : row.answer();
      if (given || (stored != null && stored.epoch() >= authority.epoch())) {
        known.add(request.core());
      }
    }
    return known;
  }

  static SpendRequest<Request> spend(Request request) {
    return new SpendRequest<>(request.transfer().core(), request.transfer().serials(), request);
  }

  List<Outcome<SimulatedPartial>> runPipeline(BatchRun run) {
    BatchRun outer = current;
    current = run;
    try {
      return pipeline.run(run.requests());
    } finally {
      current = outer;
    }
  }

  /** Answers a sibling that looks before it reserves. */
  void holders(List<SerialNumber> serials, Consumer<Outcome<Map<SerialNumber, TxCore>>> reply) {
    try {
      reply.accept(
          Outcome.done(authority.database().read(tables -> holders(tables.of(index), serials))));
    } catch (ProtocolException e) {
      reply.accept(Outcome.failed(e));
    }
  }

  /** Rejects serial numbers of a range that was given away. */
  private Map<SerialNumber, TxCore> holders(Tables.Schema schema, List<SerialNumber> serials) {
    if (!serials.stream().allMatch(schema.ownership::covers)
        && !world.mutated(Mutation.HOLDERS_OF_A_MOVED_RANGE)) {
      throw moved();
    }
    return ShardPorts.holders(schema, serials);
  }

  /** Reserves for a sibling whose own serial numbers are reserved. */
  void reserve(long version, List<Claim> claims, Consumer<Outcome<List<Outcome<Ok>>>> reply) {
    if (version > map.version()) {
      learn(authority.database().tables().map);
    }
    if (version != map.version()) {
      reply.accept(Outcome.done(claims.stream().map(c -> Outcome.<Ok>failed(moved())).toList()));
      return;
    }
    List<ReserveTransaction.Wanted> wanted =
        claims.stream()
            .map(c ->
                new ReserveTransaction.Wanted(
                    c.core(), c.serials(), null, ReserveTransaction.HOPEFUL))
            .toList();
    authority.database().transact(new ReserveTransaction(world, authority, this, wanted), reply);
  }

  static ProtocolException moved() {
    return new ProtocolException(RejectionCode.SHARD_MOVED, "the range moved to another shard");
  }
}
