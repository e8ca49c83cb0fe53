package io.solidus.authority.spend;

import io.solidus.protocol.SerialNumber;

/**
 * One version of the shard map, seen from one shard. It may be outdated: the spend store decides
 * which shard owns a serial number when it reserves it.
 */
public interface Ranges {

  int self();

  /** The version of the map; owners by another version may be others. */
  long version();

  int ownerOf(SerialNumber serial);

  default boolean owns(SerialNumber serial) {
    return ownerOf(serial) == self();
  }
}
