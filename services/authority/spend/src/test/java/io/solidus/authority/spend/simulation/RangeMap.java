package io.solidus.authority.spend.simulation;

import io.solidus.protocol.SerialNumber;
import java.util.ArrayList;
import java.util.List;

/**
 * One version of an authority's shard map.
 *
 * @param lows where each range begins, ascending, the first at zero; it ends where the next begins
 * @param owners the shard of each range
 */
record RangeMap(long version, List<SerialNumber> lows, List<Integer> owners) {

  static RangeMap even(int shards) {
    List<SerialNumber> lows = new ArrayList<>();
    List<Integer> owners = new ArrayList<>();
    for (int i = 0; i < shards; i++) {
      lows.add(Transfer.serial(Long.divideUnsigned(-1L, shards) * i));
      owners.add(i);
    }
    return new RangeMap(1, List.copyOf(lows), List.copyOf(owners));
  }

  int ownerOf(SerialNumber serial) {
    int range = lows.size() - 1;
    while (serial.compareTo(lows.get(range)) < 0) {
      range--;
    }
    return owners.get(range);
  }

  /** The next version, in which {@code newShard} owns the part of the range from {@code at} on. */
  RangeMap split(SerialNumber at, int newShard) {
    List<SerialNumber> nextLows = new ArrayList<>(lows);
    List<Integer> nextOwners = new ArrayList<>(owners);
    int place = 0;
    while (place < lows.size() && lows.get(place).compareTo(at) < 0) {
      place++;
    }
    nextLows.add(place, at);
    nextOwners.add(place, newShard);
    return new RangeMap(version + 1, List.copyOf(nextLows), List.copyOf(nextOwners));
  }
}
