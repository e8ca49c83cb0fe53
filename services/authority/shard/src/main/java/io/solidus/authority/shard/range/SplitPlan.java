package io.solidus.authority.shard.range;

import io.solidus.authority.common.ShardSchema;
import io.solidus.protocol.ShardRange;

/**
 * A split of one shard's range in two: the shard keeps what is below {@code moving}, the new shard
 * gets that.
 *
 * @param shard the one that is split
 * @param newShard the next number on the map
 * @param baseVersion of the map that is in force until the switch
 */
record SplitPlan(int shard, int newShard, long baseVersion, ShardRange moving) {

  String from() {
    return ShardSchema.name(shard);
  }

  String to() {
    return ShardSchema.name(newShard);
  }
}
