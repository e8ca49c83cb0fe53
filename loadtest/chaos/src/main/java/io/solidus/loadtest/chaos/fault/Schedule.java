package io.solidus.loadtest.chaos.fault;

import io.solidus.loadtest.chaos.FaultKind;
import io.solidus.loadtest.chaos.load.SeededRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An endless sequence of fault windows, which follows from the seed and the kinds alone. Every kind
 * comes once before any kind comes again. Between two windows nothing is broken.
 */
public final class Schedule {

  private static final long SHORTEST_MILLIS = 1500;
  private static final long LONGEST_MILLIS = 5000;
  private static final long SHORTEST_GAP_MILLIS = 200;
  private static final long LONGEST_GAP_MILLIS = 1500;
  private static final double COMPANY = 0.8;

  /** The authorities that a kind can strike: some kinds need a process or a disk of its own. */
  public interface Targets {
    List<Integer> of(FaultKind kind);
  }

  private final List<FaultKind> kinds;
  private final Targets targets;
  private final int shards;
  private final int overlap;
  private final SeededRandom random;
  private final Deque<FaultKind> round = new ArrayDeque<>();
  private int number;

  /**
   * @param overlap maximum number of faults of one window
   */
  public Schedule(long seed, List<FaultKind> kinds, Targets targets, int shards, int overlap) {
    if (kinds.isEmpty()) {
      throw new IllegalArgumentException("a schedule needs at least one kind of fault");
    }
    if (overlap < 1) {
      throw new IllegalArgumentException("a window has at least one fault");
    }
    this.kinds = List.copyOf(kinds);
    this.targets = targets;
    this.shards = shards;
    this.overlap = overlap;
    this.random = new SeededRandom(seed, "schedule");
  }

  public FaultWindow next() {
    if (round.isEmpty()) {
      List<FaultKind> order = new ArrayList<>(kinds);
      random.shuffle(order);
      // Kafka then stays down until a later round
      if (order.remove(FaultKind.KAFKA_ABSENT)) {
        order.add(FaultKind.KAFKA_ABSENT);
      }
      round.addAll(order);
    }
    List<PlannedFault> window = new ArrayList<>();
    window.add(planned(round.remove(), window).orElseThrow());
    while (window.size() < overlap && random.chance(COMPANY)) {
      PlannedFault company = company(window);
      if (company == null) {
        break;
      }
      window.add(company);
    }
    // a fault that waits for traffic comes before those that may stop it; a split comes last, so
    // that it runs during the others
    window.sort(
        Comparator.comparingInt(planned ->
            planned.kind().needsTraffic() ? 0 : planned.kind() == FaultKind.SPLIT_RANGE ? 2 : 1));
    return new FaultWindow(window.stream().map(planned -> planned.numbered(++number)).toList());
  }

  /** The next kind of the round that can overlap with the others. */
  private @Nullable PlannedFault company(List<PlannedFault> window) {
    Set<FaultKind.Part> taken = new HashSet<>();
    window.forEach(planned -> taken.addAll(planned.kind().parts()));
    for (Iterator<FaultKind> kinds = round.iterator(); kinds.hasNext(); ) {
      FaultKind kind = kinds.next();
      if (kind.parts().stream().noneMatch(taken::contains)) {
        Optional<PlannedFault> planned = planned(kind, window);
        if (planned.isPresent()) {
          kinds.remove();
          return planned.get();
        }
      }
    }
    return null;
  }

  /**
   * Empty if no authority can be struck without exceeding the window's number of faulty
   * authorities.
   */
  private Optional<PlannedFault> planned(FaultKind kind, List<PlannedFault> window) {
    List<Integer> candidates = candidates(kind, window);
    if (candidates.size() < kind.authorities()) {
      return Optional.empty();
    }
    random.shuffle(candidates);
    List<Integer> struck = candidates.subList(0, kind.authorities()).stream().sorted().toList();
    int shard = random.below(shards);
    boolean variant = random.chance(0.5);
    long hold = kind.leastMillis() + random.between(SHORTEST_MILLIS, LONGEST_MILLIS);
    long after = window.isEmpty() ? 0 : random.between(SHORTEST_GAP_MILLIS, LONGEST_GAP_MILLIS);
    return Optional.of(new PlannedFault(0, kind, struck, shard, variant, hold, after));
  }

  private List<Integer> candidates(FaultKind kind, List<PlannedFault> window) {
    List<Integer> candidates = new ArrayList<>(targets.of(kind));
    Set<Integer> hurt = struck(window, true);
    if (kind.hurts()) {
      // an authority that splits has no other fault
      candidates.removeAll(struck(window, false));
      boolean exceeded = kind.exceeds() || !new FaultWindow(window).tolerated();
      if (!exceeded && !hurt.isEmpty()) {
        candidates.retainAll(hurt);
      }
    } else {
      candidates.removeAll(hurt);
    }
    return candidates;
  }

  private static Set<Integer> struck(List<PlannedFault> window, boolean hurt) {
    Set<Integer> struck = new HashSet<>();
    window.stream()
        .filter(planned -> planned.kind().hurts() == hurt)
        .forEach(planned -> struck.addAll(planned.authorities()));
    return struck;
  }
}
