package io.solidus.loadtest.chaos;

import io.solidus.authority.spend.Failpoints.Step;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The kinds of faults. */
public enum FaultKind {
  HALT_CHECKED("halt-checked", Step.CHECKED),
  HALT_OWN_RESERVED("halt-own-reserved", Step.OWN_SERIALS_RESERVED),
  HALT_ALL_RESERVED("halt-all-reserved", Step.ALL_SERIALS_RESERVED),
  HALT_SIGNED("halt-signed", Step.SIGNED),
  HALT_STORED("halt-stored", Step.ANSWER_STORED),
  /** Killed after Kafka has an event and before the outbox is marked: the event is sent again. */
  KILL_PUBLISHED("kill-published"),
  KILL_NODE("kill-node"),
  KILL_SIGNER("kill-signer"),
  FREEZE_NODE("freeze-node"),
  SLOW_LINK("slow-link"),
  PARTITION_F("partition-f"),
  PARTITION_F_PLUS_1("partition-f1"),
  KILL_DATABASE("kill-database"),
  /** All of an authority stops at once and loses what was not fsynced. */
  POWER_LOSS("power-loss"),
  /** A standby is promoted, and the former primary fenced off or killed. */
  FAIL_OVER("fail-over"),
  FREEZE_DATABASE("freeze-database"),
  DISK_FULL("disk-full"),
  LOG_FULL("log-full"),
  /** The time of day of an authority and its database is wrong by minutes or hours. */
  CLOCK_JUMP("clock-jump"),
  /** An authority answers wrongly, or refuses everything. */
  LIE("lie"),
  POOL_EXHAUSTED("pool-exhausted"),
  CONNECTIONS_EXHAUSTED("connections-exhausted"),
  /**
   * Two or three authorities are cut off until the old rules expire: transfers under way need the
   * finish rule or new evidence.
   */
  NEW_RULES("new-rules"),
  /** Not a fault, but nothing may fail meanwhile. */
  SPLIT_RANGE("split-range"),
  /** Not faults either: every authority is restarted in turn with other keys, under load. */
  REFRESH_SHARES("refresh-shares"),
  CHANGE_NOTE_KEY("change-note-key"),
  KILL_KAFKA("kill-kafka"),
  FREEZE_KAFKA("freeze-kafka"),
  /** Killed, and started again only when another fault needs it or the run ends. */
  KAFKA_ABSENT("kafka-absent");

  /** The parts that a fault uses; two faults at a time never use the same part. */
  public enum Part {
    PROCESS,
    DATABASE,
    SIGN_LOG,
    LINK,
    RANGE,
    KAFKA,
    CLOCK,
    /** Policies and checkpoints in force. */
    FACTS
  }

  /**
   * How long superseded rules are accepted. Short, so that wallets must renew their evidence during
   * a run.
   */
  public static final long RULES_GRACE_MILLIS = 4000;

  private final String label;
  private final @Nullable Step step;

  FaultKind(String label) {
    this(label, null);
  }

  FaultKind(String label, @Nullable Step step) {
    this.label = label;
    this.step = step;
  }

  public String label() {
    return label;
  }

  /** The failpoint at which a process dies; empty for other kinds of faults. */
  public Optional<Step> step() {
    return Optional.ofNullable(step);
  }

  /** The number of authorities that it strikes. */
  public int authorities() {
    return switch (this) {
      case KILL_KAFKA, FREEZE_KAFKA, KAFKA_ABSENT, REFRESH_SHARES, CHANGE_NOTE_KEY -> 0;
      case NEW_RULES -> 3;
      case PARTITION_F_PLUS_1 -> 2;
      default -> 1;
    };
  }

  /**
   * Whether it disables more authorities than may be faulty (f = 1), so that no transfer finishes
   * while it lasts.
   */
  public boolean exceeds() {
    return authorities() > 1;
  }

  /** Whether its authorities count as faulty while it lasts. */
  public boolean hurts() {
    return this != SPLIT_RANGE && authorities() > 0;
  }

  /**
   * Whether it strikes when a transfer passes; such a fault comes first, before others stop
   * traffic.
   */
  public boolean needsTraffic() {
    return step != null || this == KILL_PUBLISHED;
  }

  public Set<Part> parts() {
    return switch (this) {
      case HALT_CHECKED,
          HALT_OWN_RESERVED,
          HALT_ALL_RESERVED,
          HALT_SIGNED,
          HALT_STORED,
          KILL_NODE,
          KILL_SIGNER,
          FREEZE_NODE ->
          Set.of(Part.PROCESS);
      case KILL_PUBLISHED -> Set.of(Part.PROCESS, Part.KAFKA);
      case SLOW_LINK, PARTITION_F, PARTITION_F_PLUS_1, LIE -> Set.of(Part.LINK);
      case KILL_DATABASE,
          FREEZE_DATABASE,
          DISK_FULL,
          POOL_EXHAUSTED,
          CONNECTIONS_EXHAUSTED,
          FAIL_OVER ->
          Set.of(Part.DATABASE);
      case POWER_LOSS -> Set.of(Part.PROCESS, Part.DATABASE, Part.SIGN_LOG);
      case CLOCK_JUMP -> Set.of(Part.CLOCK, Part.FACTS);
      case LOG_FULL -> Set.of(Part.SIGN_LOG);
      case NEW_RULES -> Set.of(Part.LINK, Part.FACTS);
      case SPLIT_RANGE -> Set.of(Part.RANGE);
      case KILL_KAFKA, FREEZE_KAFKA, KAFKA_ABSENT -> Set.of(Part.KAFKA, Part.FACTS);
      // every authority is away once: nothing else happens meanwhile
      case REFRESH_SHARES, CHANGE_NOTE_KEY -> Set.of(Part.values());
    };
  }

  /** Whether it is a fault of Kafka, or waits for an event on it. */
  public boolean needsKafka() {
    return switch (this) {
      case KILL_KAFKA, FREEZE_KAFKA, KAFKA_ABSENT, KILL_PUBLISHED -> true;
      default -> false;
    };
  }

  /** Milliseconds beyond the schedule's time: the grace period of old rules. */
  public long leastMillis() {
    return this == NEW_RULES ? RULES_GRACE_MILLIS + 3000 : 0;
  }

  public static FaultKind of(String label) {
    return Arrays.stream(values())
        .filter(kind -> kind.label.equals(label))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "no such fault: " + label + "; there are " + labels(List.of(values()))));
  }

  public static String labels(List<FaultKind> kinds) {
    return kinds.stream().map(FaultKind::label).collect(Collectors.joining(","));
  }
}
