package io.solidus.authority.shard.range;

import io.solidus.authority.spend.Ranges;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShardMap;

/**
 * One map, seen from one shard; it does not change under the batch that works with it.
 *
 * @param self the shard, which need not be on the map yet
 */
public record RangeView(ShardMap map, int self) implements Ranges {

  @Override
  public int ownerOf(SerialNumber serial) {
    return map.owner(serial);
  }

  public long version() {
    return map.version();
  }
}
