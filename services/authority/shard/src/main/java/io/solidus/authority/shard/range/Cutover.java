package io.solidus.authority.shard.range;

import io.solidus.authority.common.FloorsRow;
import io.solidus.authority.common.OwnershipRow;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.ShardMap;
import io.solidus.protocol.ShardRange;
import io.solidus.protocol.Spec;
import io.solidus.protocol.StateFloors;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The cutover of a split. One transaction fences off the old owner from the range, opens it to the
 * new owner and puts the new map in force. So at no time do both own the range, or neither.
 */
final class Cutover {

  private final JdbcClient jdbc;
  private final ShardMapStore maps;
  private final SplitStore splits;
  private final NetworkId network;
  private final NoteSigner signer;

  Cutover(JdbcClient jdbc, NetworkId network, NoteSigner signer) {
    this.jdbc = jdbc;
    this.maps = new ShardMapStore(jdbc);
    this.splits = new SplitStore(jdbc);
    this.network = network;
    this.signer = signer;
  }

  /**
   * Runs in the caller's transaction, which blocks reservations of the split shard until it ends
   * and waits for those in progress.
   *
   * @throws IllegalStateException when the authority's state is not the one the split was planned
   *     for
   */
  @Spec("V-17")
  ShardMap run(SplitPlan plan, ShardMap base, List<DualWriteTriggers> triggers) {
    maps.lock();
    // not a row lock: under load, transactions with shared locks overlap continuously, so this
    // transaction would never get the lock; a table lock is granted in the order of the requests
    jdbc.sql("LOCK TABLE " + plan.from() + ".ownership IN EXCLUSIVE MODE").update();
    ShardRange whole = base.ranges().get(plan.shard());
    Optional<OwnershipRow> row = OwnershipRow.readForUpdate(jdbc, plan.from());
    require(
        row.filter(owned -> owned.range().equals(whole) && !owned.fenced()).isPresent(),
        "the shard does not own its range");
    require(maps.after(base.version()).isEmpty(), "there is a newer shard map");
    require(
        triggers.stream().allMatch(DualWriteTriggers::active),
        "a dual-write trigger is not active");
    takeFloors(plan);
    ShardMap next = base.split(plan.shard(), plan.moving().lo());
    OwnershipRow.update(jdbc, plan.from(), next.version(), next.ranges().get(plan.shard()));
    OwnershipRow.insert(jdbc, plan.to(), next.version(), plan.moving());
    maps.add(next.version(), next.sign(network, signer));
    splits.reached(plan, SplitStep.SWITCHED);
    return next;
  }

  /**
   * The new owner promises what the old one promised for the range: it may know older rules. The
   * lock keeps the old owner from promising more before it has lost the range.
   */
  private void takeFloors(SplitPlan plan) {
    FloorsRow.raise(jdbc, plan.to(), FloorsRow.raise(jdbc, plan.from(), StateFloors.NONE));
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException("the split cannot go on: " + otherwise);
    }
  }
}
