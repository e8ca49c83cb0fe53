package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.screening.Screening;
import io.solidus.operator.registration.screening.ScreeningMatch;
import io.solidus.operator.registration.screening.ScreeningUnavailableException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Has cases screened. A case without an answer stays where it is and is tried again, later each
 * time up to a bound; nothing but an answer moves it on.
 */
final class CaseScreeningService {
  private static final Logger LOG = LoggerFactory.getLogger(CaseScreeningService.class);
  private static final String SCREENING = "screening";
  private static final String REFUSED_BEFORE = "refused-registrations";
  private static final int MAX_DOUBLINGS = 16;

  private final CaseStore store;
  private final Screening screening;
  private final TransactionTemplate transaction;
  private final Clock clock;
  private final RetryTimes retry;
  private final Semaphore running;

  /**
   * How long to wait between attempts.
   *
   * @param lease how long an attempt itself may take; no other replica tries in that time
   */
  record RetryTimes(Duration first, Duration max, Duration lease) {

    /**
     * Doubled with each attempt up to the bound, then up to a quarter shorter so that waiting cases
     * spread out.
     */
    Duration after(int attempts) {
      long doubled = first.toMillis() << Math.min(Math.max(attempts - 1, 0), MAX_DOUBLINGS);
      long bounded = Math.min(doubled, max.toMillis());
      return Duration.ofMillis(bounded - ThreadLocalRandom.current().nextLong(bounded / 4 + 1));
    }
  }

  CaseScreeningService(
      CaseStore store,
      Screening screening,
      TransactionTemplate transaction,
      Clock clock,
      RetryTimes retry,
      int concurrency) {
    this.store = store;
    this.screening = screening;
    this.transaction = transaction;
    this.clock = clock;
    this.retry = retry;
    this.running = new Semaphore(concurrency);
  }

  /** Tries at once when there is room; otherwise the case waits its turn. */
  void screenNow(UUID id) {
    if (!running.tryAcquire()) {
      return;
    }
    try {
      attempt(id);
    } finally {
      running.release();
    }
  }

  /**
   * Tries the cases that are due until one gets no answer: then the service is away and the others
   * wait too.
   *
   * @return whether there may be more to do at once
   */
  boolean screenDue(int limit) {
    List<UUID> due = store.dueForScreening(clock.instant(), limit);
    for (UUID id : due) {
      if (Thread.currentThread().isInterrupted() || !attempt(id)) {
        return false;
      }
    }
    return due.size() == limit;
  }

  /** False when there was no answer. */
  private boolean attempt(UUID id) {
    Instant now = clock.instant();
    Optional<KycCase> claimed = store.claimScreening(id, now, now.plus(retry.lease()));
    if (claimed.isEmpty()) {
      return true;
    }
    int attempts = claimed.get().screeningAttempts();
    try {
      record(id, screening.screen(claimed.get().person()));
      return true;
    } catch (ScreeningUnavailableException e) {
      store.postponeScreening(id, clock.instant().plus(retry.after(attempts)));
      LOG.warn("case {} waits for its screening, attempt {}: {}", id, attempts, e.getMessage());
      return false;
    }
  }

  /**
   * A person, document or address that was refused before is a match too, so that an operator looks
   * twice.
   */
  private void record(UUID id, List<ScreeningMatch> listed) {
    transaction.executeWithoutResult(status -> {
      List<ScreeningMatch> matches = new ArrayList<>(listed);
      store.relatedRefusals(id).forEach(refused -> matches.add(refusal(refused)));
      Instant now = clock.instant();
      if (store.recordScreening(id, matches, now)) {
        store.addEvent(
            id,
            SCREENING,
            matches.isEmpty() ? "screened without a match" : "screened with a match",
            now);
      }
    });
  }

  private static ScreeningMatch refusal(UUID refused) {
    return new ScreeningMatch(REFUSED_BEFORE, refused.toString(), null, 1.0, null);
  }
}
