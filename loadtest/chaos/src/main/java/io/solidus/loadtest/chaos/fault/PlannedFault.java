package io.solidus.loadtest.chaos.fault;

import io.solidus.loadtest.chaos.FaultKind;
import java.util.List;

/**
 * One fault of a schedule.
 *
 * @param number from 1
 * @param authorities that it strikes
 * @param shard of these authorities, where it matters
 * @param variant which of two ways, where there are two
 * @param holdMillis minimum length
 * @param afterMillis time since the fault before it in its window
 */
record PlannedFault(
    int number,
    FaultKind kind,
    List<Integer> authorities,
    int shard,
    boolean variant,
    long holdMillis,
    long afterMillis) {

  PlannedFault numbered(int place) {
    return new PlannedFault(place, kind, authorities, shard, variant, holdMillis, afterMillis);
  }

  int authority() {
    return authorities.getFirst();
  }

  @Override
  public String toString() {
    return "#" + number + " " + kind.label() + (authorities.isEmpty() ? "" : " at " + authorities);
  }
}
