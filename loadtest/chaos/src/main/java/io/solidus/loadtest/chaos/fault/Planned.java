package io.solidus.loadtest.chaos.fault;

import io.solidus.loadtest.chaos.FaultKind;
import java.util.List;

/**
 * One fault of a schedule.
 *
 * @param number from 1
 * @param authorities whom it strikes
 * @param shard which of their shards, where it matters
 * @param variant of two ways, where there are two
 * @param holdMillis how long it lasts at least
 * @param afterMillis how long after the fault before it in its act it strikes
 */
record Planned(
    int number,
    FaultKind kind,
    List<Integer> authorities,
    int shard,
    boolean variant,
    long holdMillis,
    long afterMillis) {

  Planned numbered(int place) {
    return new Planned(place, kind, authorities, shard, variant, holdMillis, afterMillis);
  }

  int authority() {
    return authorities.getFirst();
  }

  @Override
  public String toString() {
    return "#" + number + " " + kind.label() + (authorities.isEmpty() ? "" : " at " + authorities);
  }
}
