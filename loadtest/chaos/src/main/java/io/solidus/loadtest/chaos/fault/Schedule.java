package io.solidus.loadtest.chaos.fault;

import io.solidus.loadtest.chaos.FaultKind;
import io.solidus.loadtest.chaos.load.Draws;
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
 * Faults without end, each following from the seed and the kinds alone. Every kind comes once
 * before any comes again. Faults that overlap are an act; between two acts everything is whole.
 */
public final class Schedule {

  private static final long SHORTEST_MILLIS = 1500;
  private static final long LONGEST_MILLIS = 5000;
  private static final long SHORTEST_GAP_MILLIS = 200;
  private static final long LONGEST_GAP_MILLIS = 1500;
  private static final double COMPANY = 0.8;

  /** Where a kind can strike: some need a process or a disk that only some authorities have. */
  public interface Targets {
    List<Integer> of(FaultKind kind);
  }

  private final List<FaultKind> kinds;
  private final Targets targets;
  private final int shards;
  private final int overlap;
  private final Draws draws;
  private final Deque<FaultKind> round = new ArrayDeque<>();
  private int number;

  /**
   * @param overlap how many faults of one act there are at most
   */
  public Schedule(long seed, List<FaultKind> kinds, Targets targets, int shards, int overlap) {
    if (kinds.isEmpty()) {
      throw new IllegalArgumentException("a schedule needs at least one kind of fault");
    }
    if (overlap < 1) {
      throw new IllegalArgumentException("an act has at least one fault");
    }
    this.kinds = List.copyOf(kinds);
    this.targets = targets;
    this.shards = shards;
    this.overlap = overlap;
    this.draws = new Draws(seed, "schedule");
  }

  public Act next() {
    if (round.isEmpty()) {
      List<FaultKind> order = new ArrayList<>(kinds);
      draws.shuffle(order);
      // once it is absent, Kafka stays so until a later round
      if (order.remove(FaultKind.KAFKA_ABSENT)) {
        order.add(FaultKind.KAFKA_ABSENT);
      }
      round.addAll(order);
    }
    List<Planned> act = new ArrayList<>();
    act.add(planned(round.remove(), act).orElseThrow());
    while (act.size() < overlap && draws.chance(COMPANY)) {
      Planned company = company(act);
      if (company == null) {
        break;
      }
      act.add(company);
    }
    // what waits for traffic goes before what may stop it; what takes its time goes last, so that
    // it happens amid the others
    act.sort(
        Comparator.comparingInt(planned ->
            planned.kind().needsTraffic() ? 0 : planned.kind() == FaultKind.SPLIT_RANGE ? 2 : 1));
    return new Act(act.stream().map(planned -> planned.numbered(++number)).toList());
  }

  /** The next kind of the round that can be at the same time as the others. */
  private @Nullable Planned company(List<Planned> act) {
    Set<FaultKind.Part> taken = new HashSet<>();
    act.forEach(planned -> taken.addAll(planned.kind().parts()));
    for (Iterator<FaultKind> kinds = round.iterator(); kinds.hasNext(); ) {
      FaultKind kind = kinds.next();
      if (kind.parts().stream().noneMatch(taken::contains)) {
        Optional<Planned> planned = planned(kind, act);
        if (planned.isPresent()) {
          kinds.remove();
          return planned.get();
        }
      }
    }
    return null;
  }

  /**
   * Empty when there is nobody whom it could strike without making more authorities faulty than the
   * act is meant to.
   */
  private Optional<Planned> planned(FaultKind kind, List<Planned> act) {
    List<Integer> candidates = candidates(kind, act);
    if (candidates.size() < kind.authorities()) {
      return Optional.empty();
    }
    draws.shuffle(candidates);
    List<Integer> struck = candidates.subList(0, kind.authorities()).stream().sorted().toList();
    int shard = draws.below(shards);
    boolean variant = draws.chance(0.5);
    long hold = kind.leastMillis() + draws.between(SHORTEST_MILLIS, LONGEST_MILLIS);
    long after = act.isEmpty() ? 0 : draws.between(SHORTEST_GAP_MILLIS, LONGEST_GAP_MILLIS);
    return Optional.of(new Planned(0, kind, struck, shard, variant, hold, after));
  }

  private List<Integer> candidates(FaultKind kind, List<Planned> act) {
    List<Integer> candidates = new ArrayList<>(targets.of(kind));
    Set<Integer> hurt = struck(act, true);
    if (kind.hurts()) {
      // nobody else's fault is mixed into a split
      candidates.removeAll(struck(act, false));
      boolean exceeded = kind.exceeds() || !new Act(act).tolerated();
      if (!exceeded && !hurt.isEmpty()) {
        candidates.retainAll(hurt);
      }
    } else {
      candidates.removeAll(hurt);
    }
    return candidates;
  }

  private static Set<Integer> struck(List<Planned> act, boolean hurt) {
    Set<Integer> struck = new HashSet<>();
    act.stream()
        .filter(planned -> planned.kind().hurts() == hurt)
        .forEach(planned -> struck.addAll(planned.authorities()));
    return struck;
  }
}
