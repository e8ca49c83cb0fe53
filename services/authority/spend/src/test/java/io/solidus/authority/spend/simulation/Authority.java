package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.Outcome;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A correct authority: one database, one signer, some shards. */
final class Authority implements AuthorityEndpoint {

  /** A signature that left, in which life of the database and in which epoch. */
  private record Given(int life, int epoch) {}

  private final World world;
  private final int index;
  private final Database database;
  private final SignerNode signer;
  private final SortedMap<Integer, ShardNode> shards = new TreeMap<>();
  private final long[] policyDelay;
  private RangeMap map;
  private final Map<TxCore, Given> answered = new HashMap<>();
  private boolean storageBroken;
  private int epoch;
  private long ahead;
  private boolean clockWrong;
  private @Nullable Runnable awaitsReservation;

  Authority(World world, int index, int shardCount, boolean standby, long[] policyDelay) {
    this.world = world;
    this.index = index;
    this.policyDelay = policyDelay;
    this.map = RangeMap.even(shardCount);
    RangeMap first = map;
    this.database = new Database(world, standby, first);
    database.establish(tables -> {
      for (int i = 0; i < shardCount; i++) {
        tables.shards.put(i, new Tables.Schema(new Tables.Ownership(first, i)));
      }
    });
    this.signer = new SignerNode(world, this, new SimulatedPartial.Share(index, epoch));
    for (int i = 0; i < shardCount; i++) {
      shards.put(i, new ShardNode(world, this, i, first));
    }
    signer.start();
  }

  int index() {
    return index;
  }

  String name() {
    return "v" + index;
  }

  Database database() {
    return database;
  }

  SignerNode signer() {
    return signer;
  }

  SortedMap<Integer, ShardNode> shards() {
    return shards;
  }

  /** The newest published shard map. */
  RangeMap map() {
    return map;
  }

  /** Its storage lost what it had acknowledged; from now on the authority may refuse to sign. */
  void breakStorage() {
    storageBroken = true;
  }

  boolean storageBroken() {
    return storageBroken;
  }

  /** The epoch of its shares, from 0. */
  int epoch() {
    return epoch;
  }

  /**
   * Goes on with a refreshed share. The shards restart first, so that for some time they know an
   * epoch in which the signer does not sign yet.
   */
  void refreshShares() {
    epoch++;
    world.cover(CoveragePoint.SHARES_REFRESHED);
    world.note(() -> name() + " has shares of epoch " + epoch);
    int fresh = epoch;
    world
        .events()
        .in(
            world.extra().between(0, 20),
            () ->
                signer.refresh(
                    new SimulatedPartial.Share(index, fresh), world.extra().between(3, 40)));
  }

  /** Sets its clock wrong by a number of ticks; 0 sets it right. */
  void setClock(long ticksAhead) {
    ahead = ticksAhead;
    clockWrong |= ticksAhead != 0;
  }

  /** The time by its own clock. */
  long clock() {
    return world.events().now() + ahead;
  }

  /** Whether its clock was ever wrong. */
  boolean clockWrong() {
    return clockWrong;
  }

  /** Records that a signature for this core has left a shard. */
  void markAnswered(TxCore core, int ofEpoch) {
    answered.put(core, new Given(database.life(), ofEpoch));
  }

  /**
   * Whether a signature for this core in the epoch of its shares has left a shard, and its database
   * lost nothing since.
   */
  boolean answers(TxCore core) {
    return new Given(database.life(), epoch).equals(answered.get(core));
  }

  /** Runs the work just after the next reservation of some core. */
  void afterNextReservation(Runnable work) {
    awaitsReservation = work;
  }

  void reservationReached() {
    if (awaitsReservation != null) {
      world.events().in(world.random().between(0, 8), awaitsReservation);
      awaitsReservation = null;
    }
  }

  /** How many ticks after a policy takes effect this authority receives it. */
  long policyDelay(int version) {
    return policyDelay[version];
  }

  @Override
  public void submit(Request request, int shard, Consumer<Outcome<SimulatedPartial>> reply) {
    ShardNode node = shards.get(shard);
    if (node != null) {
      node.submit(request, reply);
    }
  }

  /**
   * Splits the range that holds {@code at} while payments go on, as the production split does: new
   * rows are written to both shards, old rows are copied, and one transaction changes the owner.
   * Each step is repeated until it is durable.
   */
  void split(SerialNumber at) {
    int from = map.ownerOf(at);
    int newShard = shards.size();
    RangeMap next = map.split(at, newShard);
    world.note(() -> name() + " splits shard " + from);
    Step begin =
        new Step(
            List.of(from), tables -> begin(tables, from, new Tables.DualWrite(next, newShard)));
    Step copy = new Step(List.of(from, newShard), tables -> copy(tables, from, newShard, next));
    Step change = new Step(List.of(from, newShard), tables -> change(tables, from, newShard, next));
    if (world.mutated(Mutation.SPLIT_CHANGES_OWNER_BEFORE_COPY)) {
      durably(
          begin,
          () ->
              durably(
                  change,
                  () -> {
                    publish(next, newShard);
                    world.events().in(world.random().between(1, 60), () -> durably(copy, () -> {}));
                  }));
    } else {
      durably(begin, () -> durably(copy, () -> durably(change, () -> publish(next, newShard))));
    }
  }

  private void begin(Tables tables, int from, Tables.DualWrite dualWrite) {
    tables.shards.computeIfAbsent(
        dualWrite.newShard(), n -> new Tables.Schema(Tables.Ownership.ofNothing(tables.map)));
    if (!world.mutated(Mutation.SPLIT_WITHOUT_CAPTURE)) {
      tables.of(from).dualWrite = dualWrite;
    }
  }

  private void copy(Tables tables, int from, int newShard, RangeMap next) {
    if (world.mutated(Mutation.SPLIT_LEAVES_ROWS_BEHIND)) {
      return;
    }
    tables
        .of(from)
        .serials
        .forEach((serial, core) -> {
          if (next.ownerOf(serial) == newShard) {
            tables.of(newShard).serials.putIfAbsent(serial, core);
          }
        });
    tables
        .of(from)
        .cores
        .forEach((core, row) -> {
          if (next.ownerOf(row.request().transfer().lead()) == newShard) {
            tables.of(newShard).cores.putIfAbsent(core, row);
          }
        });
  }

  private void change(Tables tables, int from, int newShard, RangeMap next) {
    if (!world.mutated(Mutation.SPLIT_LEAVES_OLD_OWNER)) {
      tables.of(from).ownership = new Tables.Ownership(next, from);
    }
    tables.of(from).dualWrite = null;
    tables.of(newShard).ownership = new Tables.Ownership(next, newShard);
    tables.map = next;
  }

  private void publish(RangeMap next, int newShard) {
    map = next;
    world.cover(CoveragePoint.RANGE_SPLIT);
    world.note(() -> name() + " publishes map " + next.version());
    shards
        .values()
        .forEach(
            shard -> world.events().in(world.random().between(0, 250), () -> shard.learn(next)));
    shards.put(newShard, new ShardNode(world, this, newShard, next));
  }

  /**
   * A step of a split.
   *
   * @param shards whose schemas it needs; one may be missing after a stale standby took over, and
   *     then the step is not made
   */
  private record Step(List<Integer> shards, Consumer<Tables> change) {
    Database.Result<Boolean> on(Tables tables) {
      shards.forEach(tables::of);
      return new Database.Result<>(true, change);
    }
  }

  private void durably(Step step, Runnable then) {
    world
        .events()
        .in(
            world.random().between(1, 15),
            () -> {
              if (storageBroken) {
                return;
              }
              database.<Boolean>transact(
                  step::on,
                  outcome -> {
                    if (outcome instanceof Outcome.Done<Boolean>) {
                      then.run();
                    } else {
                      durably(step, then);
                    }
                  });
            });
  }
}
