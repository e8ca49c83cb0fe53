package io.solidus.authority.shard.range;

import io.solidus.authority.spend.Ranges;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShardMap;

/**
 * One version of the shard map, seen from one shard; it does not change during a batch.
 *
 * @param self the shard, which may be missing on the map
 */
public record ShardMapView(ShardMap map, int self) implements Ranges {

  @Override
  public int ownerOf(SerialNumber serial) {
    return map.owner(serial);
  }

  @Override
  public long version() {
    return map.version();
  }
}
