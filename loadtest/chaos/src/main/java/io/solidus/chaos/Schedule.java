package io.solidus.chaos;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Faults without end, each following from the seed and the kinds alone. Every kind comes once before any comes again. */
final class Schedule {

  private static final long SHORTEST_MILLIS = 1500;
  private static final long LONGEST_MILLIS = 5000;

  /** Where a kind can strike: some need a process or a disk that only some authorities have. */
  interface Targets {
    List<Integer> of(FaultKind kind);
  }

  private final List<FaultKind> kinds;
  private final Targets targets;
  private final int shards;
  private final Draws draws;
  private final Deque<FaultKind> round = new ArrayDeque<>();
  private int number;

  Schedule(long seed, List<FaultKind> kinds, Targets targets, int shards) {
    if (kinds.isEmpty()) {
      throw new IllegalArgumentException("a schedule needs at least one kind of fault");
    }
    this.kinds = List.copyOf(kinds);
    this.targets = targets;
    this.shards = shards;
    this.draws = new Draws(seed, "schedule");
  }

  Planned next() {
    if (round.isEmpty()) {
      List<FaultKind> order = new ArrayList<>(kinds);
      draws.shuffle(order);
      round.addAll(order);
    }
    FaultKind kind = round.remove();
    List<Integer> candidates = new ArrayList<>(targets.of(kind));
    draws.shuffle(candidates);
    List<Integer> struck = candidates.subList(0, kind.authorities()).stream().sorted().toList();
    return new Planned(
        ++number, kind, struck, draws.below(shards), draws.chance(0.5), kind.leastMillis() + draws.between(SHORTEST_MILLIS, LONGEST_MILLIS));
  }
}
