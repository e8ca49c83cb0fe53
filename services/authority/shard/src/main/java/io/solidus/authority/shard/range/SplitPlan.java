package io.solidus.authority.shard.range;

import io.solidus.authority.common.ShardSchema;
import io.solidus.protocol.ShardMap;
import io.solidus.protocol.ShardRange;
import java.util.Objects;

/**
 * The plan of a split: the shard keeps what is below {@code moving}, the new shard gets {@code
 * moving}.
 *
 * @param shard the shard that is split
 * @param newShard the next number on the map
 * @param baseVersion version of the map that was in force when the split was planned
 */
record SplitPlan(int shard, int newShard, long baseVersion, ShardRange moving) {

  /**
   * Whether the shard can be split by the plan on this map. A map that was renewed for a changed
   * note key is a newer version with the same ranges.
   */
  boolean fits(ShardMap map) {
    if (map.version() < baseVersion || map.shards() != newShard) {
      return false;
    }
    ShardRange whole = map.ranges().get(shard);
    return whole.lo().compareTo(moving.lo()) < 0
        && Objects.equals(whole.hiExclusive(), moving.hiExclusive());
  }

  String from() {
    return ShardSchema.name(shard);
  }

  String to() {
    return ShardSchema.name(newShard);
  }
}
