package io.solidus.operator.registration.cases;

import io.solidus.platform.bank.BankScope;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** How much waits for officers. There are no names in it, so nobody's view of a person counts. */
public final class WaitingCases {
  private final JdbcClient jdbc;
  private final ScreeningStore screenings;
  private final StandingStore standings;

  WaitingCases(JdbcClient jdbc, ScreeningStore screenings, StandingStore standings) {
    this.jdbc = jdbc;
    this.screenings = screenings;
    this.standings = standings;
  }

  /**
   * The cases of one state.
   *
   * @param status of undecided cases; or {@code alert}: registered persons with an open match,
   *     {@code confirmation}: cases with a match that waits for another person's word, {@code
   *     step}: steps that another person decides
   * @param oldest when the oldest of them was submitted or proposed; null when unknown
   */
  public record Queue(String status, long count, @Nullable Instant oldest) {}

  /** Every queue in which something waits. */
  public List<Queue> queues(BankScope scope) {
    List<Queue> queues =
        new ArrayList<>(
            jdbc.sql(
                    "SELECT status, count(*), min(created_at) FROM kyc_case"
                        + " WHERE status NOT IN ('approved', 'refused') AND (? = '' OR bank = ?) GROUP BY status")
                .params(scope.id(), scope.id())
                .query((row, n) ->
                    new Queue(row.getString(1), row.getLong(2), row.getTimestamp(3).toInstant()))
                .list());
    long alerts = screenings.countAlerts(scope);
    if (alerts > 0) {
      queues.add(new Queue("alert", alerts, null));
    }
    long unconfirmed = screenings.countUnconfirmed(scope);
    if (unconfirmed > 0) {
      queues.add(new Queue("confirmation", unconfirmed, null));
    }
    Queue steps = standings.waiting(scope);
    if (steps.count() > 0) {
      queues.add(steps);
    }
    return queues;
  }
}
