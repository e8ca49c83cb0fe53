package io.solidus.authority.spend;

import io.solidus.protocol.SerialNumber;

/**
 * One version of the shard map, seen from one shard. Whether it is still true is decided where
 * serial numbers are reserved.
 */
public interface Ranges {

  int self();

  int ownerOf(SerialNumber serial);

  default boolean owns(SerialNumber serial) {
    return ownerOf(serial) == self();
  }
}
