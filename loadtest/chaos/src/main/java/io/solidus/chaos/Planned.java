package io.solidus.chaos;

import java.util.List;

/**
 * One fault of a schedule.
 *
 * @param number from 1
 * @param authorities whom it strikes
 * @param shard which of their shards, where it matters
 * @param variant of two ways, where there are two
 * @param holdMillis how long it lasts at least
 */
record Planned(int number, FaultKind kind, List<Integer> authorities, int shard, boolean variant, long holdMillis) {

  int authority() {
    return authorities.getFirst();
  }

  @Override
  public String toString() {
    return "#" + number + " " + kind.label() + (authorities.isEmpty() ? "" : " at " + authorities);
  }
}
