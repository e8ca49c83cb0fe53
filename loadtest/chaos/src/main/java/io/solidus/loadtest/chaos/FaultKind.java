package io.solidus.loadtest.chaos;

import io.solidus.authority.spend.Failpoints.Step;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What can be broken. */
public enum FaultKind {
  HALT_CHECKED("halt-checked", Step.CHECKED),
  HALT_OWN_RESERVED("halt-own-reserved", Step.OWN_SERIALS_RESERVED),
  HALT_ALL_RESERVED("halt-all-reserved", Step.ALL_SERIALS_RESERVED),
  HALT_SIGNED("halt-signed", Step.SIGNED),
  HALT_STORED("halt-stored", Step.ANSWER_STORED),
  /** Dies after Kafka has an event and before the outbox says so: the event is sent again. */
  KILL_PUBLISHED("kill-published"),
  KILL_NODE("kill-node"),
  KILL_SIGNER("kill-signer"),
  FREEZE_NODE("freeze-node"),
  SLOW_LINK("slow-link"),
  PARTITION_F("partition-f"),
  PARTITION_F_PLUS_1("partition-f1"),
  KILL_DATABASE("kill-database"),
  FREEZE_DATABASE("freeze-database"),
  DISK_FULL("disk-full"),
  LOG_FULL("log-full"),
  POOL_EXHAUSTED("pool-exhausted"),
  CONNECTIONS_EXHAUSTED("connections-exhausted"),
  /**
   * Two or three are cut off until the old rules are no good any more: what is under way needs the
   * finish rule, or new evidence.
   */
  NEW_RULES("new-rules"),
  /** No fault, but nothing may fail while it goes on. */
  SPLIT_RANGE("split-range"),
  KILL_KAFKA("kill-kafka"),
  FREEZE_KAFKA("freeze-kafka"),
  /** Killed, and not started again until another fault needs it or the run ends. */
  KAFKA_ABSENT("kafka-absent");

  /** What a fault has in its hands: two faults at a time do not take the same. */
  public enum Part {
    PROCESS,
    DATABASE,
    SIGN_LOG,
    LINK,
    RANGE,
    KAFKA,
    /** Policies and checkpoints in force. */
    FACTS
  }

  /**
   * How long superseded rules are accepted: so short that wallets have to renew their evidence
   * while the run is on.
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

  /** Where a process is to die; empty for a fault of another kind. */
  public Optional<Step> step() {
    return Optional.ofNullable(step);
  }

  /** How many authorities it strikes. */
  public int authorities() {
    return switch (this) {
      case KILL_KAFKA, FREEZE_KAFKA, KAFKA_ABSENT -> 0;
      case NEW_RULES -> 3;
      case PARTITION_F_PLUS_1 -> 2;
      default -> 1;
    };
  }

  /**
   * Whether it takes more authorities away than may be faulty (f = 1): no transfer finishes while
   * it lasts.
   */
  public boolean exceeds() {
    return authorities() > 1;
  }

  /** Whether the authorities that it strikes count as faulty while it lasts. */
  public boolean hurts() {
    return this != SPLIT_RANGE && authorities() > 0;
  }

  /** Whether it waits for traffic to strike, which other faults may stop: it goes first. */
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
      case SLOW_LINK, PARTITION_F, PARTITION_F_PLUS_1 -> Set.of(Part.LINK);
      case KILL_DATABASE, FREEZE_DATABASE, DISK_FULL, POOL_EXHAUSTED, CONNECTIONS_EXHAUSTED ->
          Set.of(Part.DATABASE);
      case LOG_FULL -> Set.of(Part.SIGN_LOG);
      case NEW_RULES -> Set.of(Part.LINK, Part.FACTS);
      case SPLIT_RANGE -> Set.of(Part.RANGE);
      case KILL_KAFKA, FREEZE_KAFKA, KAFKA_ABSENT -> Set.of(Part.KAFKA, Part.FACTS);
    };
  }

  /** What it needs beyond the schedule's time, in milliseconds: the grace period of old rules. */
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
