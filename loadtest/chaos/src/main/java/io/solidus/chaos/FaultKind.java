package io.solidus.chaos;

import io.solidus.validator.spend.Failpoints.Step;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What can be broken. Kafka is not among them: nobody listens at its address during the whole run. */
enum FaultKind {
  HALT_CHECKED("halt-checked", Step.CHECKED),
  HALT_OWN_RESERVED("halt-own-reserved", Step.OWN_SERIALS_RESERVED),
  HALT_ALL_RESERVED("halt-all-reserved", Step.ALL_SERIALS_RESERVED),
  HALT_SIGNED("halt-signed", Step.SIGNED),
  HALT_STORED("halt-stored", Step.ANSWER_STORED),
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
  /** Two or three are cut off until the old rules are no good any more: what is under way needs the finish rule, or new evidence. */
  NEW_RULES("new-rules"),
  /** No fault, but nothing may fail while it goes on. */
  SPLIT_RANGE("split-range");

  private final String label;
  private final @Nullable Step step;

  FaultKind(String label) {
    this(label, null);
  }

  FaultKind(String label, @Nullable Step step) {
    this.label = label;
    this.step = step;
  }

  String label() {
    return label;
  }

  /** Where a process is to die; empty for a fault of another kind. */
  Optional<Step> step() {
    return Optional.ofNullable(step);
  }

  /** How many authorities it takes away, with one faulty authority tolerated. */
  int authorities() {
    return switch (this) {
      case NEW_RULES -> 3;
      case PARTITION_F_PLUS_1 -> 2;
      default -> 1;
    };
  }

  /** What it needs beyond the schedule's time, in milliseconds: the grace period of old rules. */
  long leastMillis() {
    return this == NEW_RULES ? ChaosRun.GRACE_MILLIS + 3000 : 0;
  }

  static FaultKind of(String label) {
    return Arrays.stream(values())
        .filter(kind -> kind.label.equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no such fault: " + label + "; there are " + labels(List.of(values()))));
  }

  static String labels(List<FaultKind> kinds) {
    return kinds.stream().map(FaultKind::label).collect(Collectors.joining(","));
  }
}
