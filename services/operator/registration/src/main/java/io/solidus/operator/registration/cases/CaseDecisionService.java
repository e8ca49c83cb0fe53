package io.solidus.operator.registration.cases;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What operators do with cases. The same decision twice is one decision, whoever repeats it; the
 * opposite one is refused. Attesting happens in the transaction of the approval, under the case's
 * lock, hence once.
 */
public final class CaseDecisionService {
  private static final int MAX_REASON_CHARS = 1000;

  private final CaseStore store;
  private final Attestor attestor;
  private final TransactionTemplate transaction;
  private final Clock clock;
  private final Duration screeningMaxAge;
  private final CaseMetrics metrics;

  CaseDecisionService(
      CaseStore store,
      Attestor attestor,
      TransactionTemplate transaction,
      Clock clock,
      Duration screeningMaxAge,
      CaseMetrics metrics) {
    this.store = store;
    this.attestor = attestor;
    this.transaction = transaction;
    this.clock = clock;
    this.screeningMaxAge = screeningMaxAge;
    this.metrics = metrics;
  }

  /** A case and what was done with it. */
  public record File(KycCase kycCase, List<CaseEvent> events) {}

  /** Oldest first; empty when the end is reached. */
  public List<KycCase> page(@Nullable CaseStatus status, @Nullable Cursor after, int limit) {
    return store.page(status, after, limit);
  }

  /** Where the page after this one begins. */
  public static Cursor after(List<KycCase> page) {
    return Cursor.of(page.getLast());
  }

  /** The whole case. Looking at a person's data leaves a trace. */
  public File view(UUID id, String operator) {
    return Objects.requireNonNull(
        transaction.execute(status -> {
          KycCase found = store.find(id).orElseThrow(CaseDecisionService::notFound);
          store.addEvent(id, operator, "viewed", clock.instant());
          return new File(found, store.events(id));
        }));
  }

  /**
   * @param reason needed for a case in review
   * @throws CaseConflictException when it was refused, or there is no screening that still counts
   */
  public KycCase approve(UUID id, String operator, @Nullable String reason) {
    String words = reasonOrNull(reason);
    Outcome outcome = run(() -> approveLocked(locked(id), operator, words));
    if (outcome == Outcome.SCREENING_OUTDATED) {
      throw new CaseConflictException(CaseConflictException.Kind.NOT_SCREENED);
    }
    return result(id, outcome, "approved");
  }

  /**
   * @param reason told to the applicant
   * @throws CaseConflictException when it was approved
   */
  public KycCase refuse(UUID id, String operator, @Nullable String reason) {
    String words = reasonOrNull(reason);
    if (words == null) {
      throw ProtocolException.malformed("a refusal needs a reason");
    }
    return result(id, run(() -> refuseLocked(locked(id), operator, words)), "refused");
  }

  private enum Outcome {
    DONE,
    DONE_BEFORE,
    SCREENING_OUTDATED
  }

  private Outcome approveLocked(KycCase found, String operator, @Nullable String reason) {
    Instant now = clock.instant();
    switch (found.status()) {
      case APPROVED -> {
        return Outcome.DONE_BEFORE;
      }
      case REFUSED -> throw new CaseConflictException(CaseConflictException.Kind.DECIDED_OTHERWISE);
      case PENDING_SCREENING ->
          throw new CaseConflictException(CaseConflictException.Kind.NOT_SCREENED);
      case REVIEW -> requireReason(reason);
      case PENDING -> {
        // nothing more is needed
      }
    }
    if (Objects.requireNonNull(found.screenedAt()).plus(screeningMaxAge).isBefore(now)) {
      store.requireScreening(found.id(), now);
      store.addEvent(found.id(), operator, "screening required again", now);
      return Outcome.SCREENING_OUTDATED;
    }
    store.approve(found.id(), operator, reason, attestor.attest(found, now), now);
    store.addEvent(found.id(), operator, "approved", now);
    return Outcome.DONE;
  }

  private Outcome refuseLocked(KycCase found, String operator, String reason) {
    Instant now = clock.instant();
    switch (found.status()) {
      case REFUSED -> {
        return Outcome.DONE_BEFORE;
      }
      case APPROVED ->
          throw new CaseConflictException(CaseConflictException.Kind.DECIDED_OTHERWISE);
      case PENDING_SCREENING, PENDING, REVIEW -> {
        store.refuse(found.id(), operator, reason, now);
        store.addEvent(found.id(), operator, "refused", now);
      }
    }
    return Outcome.DONE;
  }

  private KycCase result(UUID id, Outcome outcome, String decision) {
    if (outcome == Outcome.DONE) {
      metrics.decided(decision);
    }
    return store.find(id).orElseThrow(CaseDecisionService::notFound);
  }

  private Outcome run(Supplier<Outcome> work) {
    return Objects.requireNonNull(transaction.execute(status -> work.get()));
  }

  private KycCase locked(UUID id) {
    return store.lock(id).orElseThrow(CaseDecisionService::notFound);
  }

  private static void requireReason(@Nullable String reason) {
    if (reason == null) {
      throw ProtocolException.malformed("approving a case in review needs a reason");
    }
  }

  private static @Nullable String reasonOrNull(@Nullable String reason) {
    if (reason == null || reason.isBlank()) {
      return null;
    }
    if (reason.length() > MAX_REASON_CHARS) {
      throw ProtocolException.malformed("the reason is too long");
    }
    return reason.strip();
  }

  private static ProtocolException notFound() {
    return new ProtocolException(RejectionCode.NOT_FOUND, "there is no such case");
  }
}
