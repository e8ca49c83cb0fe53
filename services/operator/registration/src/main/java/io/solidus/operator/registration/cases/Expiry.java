package io.solidus.operator.registration.cases;

import io.solidus.platform.security.Operator;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Ends what one person began and no other one ended in time: steps, changes of details, and first
 * opinions on possible duplicates.
 */
final class Expiry {
  /** In the audit log. No token has such a subject. */
  static final String ACTOR = Operator.SYSTEM + "expiry";

  private final CaseStore cases;
  private final StandingStore steps;
  private final ChangeStore changes;
  private final DuplicateStore duplicates;
  private final TransactionTemplate transaction;
  private final Clock clock;
  private final Duration validity;

  Expiry(
      CaseStore cases,
      StandingStore steps,
      ChangeStore changes,
      DuplicateStore duplicates,
      TransactionTemplate transaction,
      Clock clock,
      Duration validity) {
    this.cases = cases;
    this.steps = steps;
    this.changes = changes;
    this.duplicates = duplicates;
    this.transaction = transaction;
    this.clock = clock;
    this.validity = validity;
  }

  void run() {
    Instant now = clock.instant();
    Instant before = now.minus(validity);
    transaction.executeWithoutResult(status -> {
      steps.expire(before, now).forEach(id -> record(id, "a proposal expired", now));
      changes.expire(before, now).forEach(id -> record(id, "a proposal expired", now));
      duplicates.expireOpinions(before, now).forEach(id -> record(id, "an opinion expired", now));
    });
  }

  private void record(UUID id, String action, Instant now) {
    cases.addEvent(id, ACTOR, action, now);
  }
}
