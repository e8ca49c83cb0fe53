package io.solidus.loadtest.chaos.fault;

import io.solidus.loadtest.chaos.FaultKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How often each fault struck and at each place a process was killed; what was never used has its
 * zero.
 */
public final class Coverage {

  /**
   * Where a process can die besides the failpoints of {@link FaultKind}: at no particular moment,
   * while it starts, between two steps.
   */
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

  /** A process of an authority was killed. */
  synchronized void killed(String place) {
    places.merge(place, 1, Integer::sum);
  }

  synchronized void killedDatabase() {
    databases++;
  }

  synchronized void killedBroker() {
    brokers++;
  }

  /** Processes of authorities that were killed. */
  public synchronized int kills() {
    return places.values().stream().mapToInt(Integer::intValue).sum();
  }

  public synchronized int databaseCrashes() {
    return databases;
  }

  public synchronized int brokerCrashes() {
    return brokers;
  }

  /** Every process that was killed: of authorities, PostgreSQL, Kafka. */
  public synchronized int allKills() {
    return kills() + databases + brokers;
  }

  public synchronized Map<String, Integer> faults() {
    return new TreeMap<>(faults);
  }

  public synchronized Map<String, Integer> places() {
    return new TreeMap<>(places);
  }

  /** Both counts, to be read. */
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
