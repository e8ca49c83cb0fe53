package io.solidus.authority.shard.range;

import io.solidus.authority.common.OwnershipRow;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.ShardMap;
import io.solidus.protocol.ShardRange;
import io.solidus.protocol.Spec;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The moment of a split. In one transaction the old owner is fenced off from the range, the new one
 * opens and the new map is in force, so there is no state in which both own it, or nobody does.
 */
final class Switch {

  private final JdbcClient jdbc;
  private final MapStore maps;
  private final SplitStore splits;
  private final NetworkId network;
  private final NoteSigner signer;

  Switch(JdbcClient jdbc, NetworkId network, NoteSigner signer) {
    this.jdbc = jdbc;
    this.maps = new MapStore(jdbc);
    this.splits = new SplitStore(jdbc);
    this.network = network;
    this.signer = signer;
  }

  /**
   * In the caller's transaction, which holds reservations of the split shard up until it ends. It
   * waits for those under way.
   *
   * @throws IllegalStateException when the authority's state is not the one the split was planned
   *     for
   */
  @Spec("V-17")
  ShardMap run(SplitPlan plan, ShardMap base, List<Capture> captures) {
    maps.lock();
    // not the row's own lock: transactions that share it overlap without end under load, and would
    // never let this one in;
    // a table's lock is given in the order of asking
    jdbc.sql("LOCK TABLE " + plan.from() + ".ownership IN EXCLUSIVE MODE").update();
    ShardRange whole = base.ranges().get(plan.shard());
    Optional<OwnershipRow> row = OwnershipRow.readForUpdate(jdbc, plan.from());
    require(
        row.filter(owned -> owned.range().equals(whole) && !owned.fenced()).isPresent(),
        "the shard does not own its range");
    require(maps.after(base.version()).isEmpty(), "there is a newer shard map");
    require(captures.stream().allMatch(Capture::works), "rows are not captured");
    ShardMap next = base.split(plan.shard(), plan.moving().lo());
    OwnershipRow.update(jdbc, plan.from(), next.version(), next.ranges().get(plan.shard()));
    OwnershipRow.insert(jdbc, plan.to(), next.version(), plan.moving());
    maps.add(next.version(), next.sign(network, signer));
    splits.reached(plan, SplitStep.SWITCHED);
    return next;
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException("the split cannot go on: " + otherwise);
    }
  }
}
