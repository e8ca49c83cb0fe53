package io.solidus.authority.shard.range;

import io.solidus.authority.common.ShardSchema;
import io.solidus.protocol.ShardRange;

/**
 * The plan of a split: the shard keeps what is below {@code moving}, the new shard gets {@code
 * moving}.
 *
 * @param shard the shard that is split
 * @param newShard the next number on the map
 * @param baseVersion version of the map in force until the cutover
 */
record SplitPlan(int shard, int newShard, long baseVersion, ShardRange moving) {

  String from() {
    return ShardSchema.name(shard);
  }

  String to() {
    return ShardSchema.name(newShard);
  }
}
