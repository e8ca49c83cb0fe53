package io.solidus.loadtest.chaos.fault;

import io.solidus.loadtest.chaos.FaultKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts how often each fault struck, and at which failpoint processes were killed. Unused ones
 * count zero.
 */
public final class Coverage {

  /** The moments of a kill besides the failpoints of {@link FaultKind}. */
  static final String ANY_TIME = "any-time";

  static final String STARTING = "starting";
  static final String PUBLISHED = "published";
  static final String SPLITTING = "splitting";

  private final Map<String, Integer> faults = new TreeMap<>();
  private final Map<String, Integer> places = new TreeMap<>();
  private int databases;
  private int brokers;

  public Coverage() {
    for (FaultKind kind : FaultKind.values()) {
      faults.put(kind.label(), 0);
      if (kind.step().isPresent()) {
        places.put(place(kind), 0);
      }
    }
    List.of(ANY_TIME, STARTING, PUBLISHED, SPLITTING).forEach(place -> places.put(place, 0));
  }

  /** The failpoint of a fault that halts a process. */
  static String place(FaultKind kind) {
    return kind.label().substring("halt-".length());
  }

  synchronized void struck(FaultKind kind) {
    faults.merge(kind.label(), 1, Integer::sum);
  }

  /** Counts a killed process of an authority. */
  synchronized void killed(String place) {
    places.merge(place, 1, Integer::sum);
  }

  synchronized void killedDatabase() {
    databases++;
  }

  synchronized void killedBroker() {
    brokers++;
  }

  /** The number of killed processes of authorities. */
  public synchronized int kills() {
    return places.values().stream().mapToInt(Integer::intValue).sum();
  }

  public synchronized int databaseCrashes() {
    return databases;
  }

  public synchronized int brokerCrashes() {
    return brokers;
  }

  /** The number of all killed processes: of authorities, PostgreSQL and Kafka. */
  public synchronized int allKills() {
    return kills() + databases + brokers;
  }

  public synchronized Map<String, Integer> faults() {
    return new TreeMap<>(faults);
  }

  public synchronized Map<String, Integer> places() {
    return new TreeMap<>(places);
  }

  /** Both counts as lines of a table. */
  public synchronized List<String> table() {
    List<String> lines = new ArrayList<>();
    lines.add(String.format(Locale.ROOT, "%-24s %6s", "fault", "struck"));
    faults.forEach((kind, count) -> lines.add(line(kind, count)));
    lines.add(String.format(Locale.ROOT, "%-24s %6s", "killed at", "times"));
    places.forEach((place, count) -> lines.add(line(place, count)));
    lines.add(line("PostgreSQL", databases));
    lines.add(line("Kafka", brokers));
    return lines;
  }

  private static String line(String name, int count) {
    return String.format(Locale.ROOT, "%-24s %6d", name, count);
  }
}
