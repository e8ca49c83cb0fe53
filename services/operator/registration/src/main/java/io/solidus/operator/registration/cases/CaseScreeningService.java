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
 * Screens cases. Only an answer changes a case's status. Without an answer the case is tried again
 * after a growing, bounded pause.
 */
final class CaseScreeningService {
  private static final Logger log = LoggerFactory.getLogger(CaseScreeningService.class);
  private static final String SCREENING = "screening";
  private static final String REFUSED_REGISTRATIONS = "refused-registrations";
  private static final int MAX_DOUBLINGS = 16;
  private static final int BATCH = 20;

  private final CaseStore store;
  private final Screening screening;
  private final TransactionTemplate transaction;
  private final Clock clock;
  private final RetryTimes retry;
  private final Semaphore running;

  /**
   * The pauses between attempts.
   *
   * @param lease the time one attempt may take, in which no other replica tries
   */
  record RetryTimes(Duration first, Duration max, Duration lease) {

    /**
     * The pause after this many attempts. It doubles with each attempt up to the maximum. A random
     * quarter is subtracted, so that waiting cases spread out.
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

  /** Screens a case at once if a permit is free; otherwise the worker screens it later. */
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
   * Screens the cases that are due. Stops at the first case without an answer, because then the
   * sanctions service is unavailable.
   */
  void screenAllDue() {
    List<UUID> due;
    do {
      due = store.dueForScreening(clock.instant(), BATCH);
      for (UUID id : due) {
        if (Thread.currentThread().isInterrupted() || !attempt(id)) {
          return;
        }
      }
    } while (due.size() == BATCH);
  }

  /** Screens one case; false when there was no answer. */
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
      log.warn("case {} waits for its screening, attempt {}: {}", id, attempts, e.getMessage());
      return false;
    }
  }

  /**
   * Records the matches. Earlier refused cases of the same person, document or address count as
   * matches, so that an operator must review the case.
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
    return new ScreeningMatch(REFUSED_REGISTRATIONS, refused.toString(), null, 1.0, null);
  }
}
