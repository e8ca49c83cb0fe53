package io.solidus.platform.webhook;

import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The work queues of a service: how much of each kind waits for a person. */
public final class WaitingWork {
  /** Every kind of every service. */
  static final Set<String> KINDS =
      Set.of(
          "case.waiting",
          "duplicate.waiting",
          "match.waiting",
          "proposal.waiting",
          "import.waiting",
          "mint.waiting",
          "bank-message.waiting",
          "payout.waiting",
          "difference.waiting");

  private final JdbcClient jdbc;
  private final Clock clock;
  private final Map<String, LongSupplier> queues = new LinkedHashMap<>();

  public WaitingWork(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * Adds a queue.
   *
   * @param kind for example "case.waiting"
   * @param query SQL whose one number is how many wait; {@code :now} is the time
   */
  public WaitingWork with(String kind, String query) {
    if (!KINDS.contains(kind)) {
      throw new IllegalArgumentException("no such kind: " + kind);
    }
    queues.put(
        kind,
        () ->
            jdbc.sql(query)
                .param("now", OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC))
                .query(Long.class)
                .single());
    return this;
  }

  Map<String, LongSupplier> queues() {
    return Collections.unmodifiableMap(queues);
  }
}
