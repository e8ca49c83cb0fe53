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
 * The operators' decisions on cases. A repeated decision changes nothing; the opposite decision is
 * refused. The attestation is signed in the transaction of the approval, under the case's lock, so
 * each case has at most one.
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

  /** A case and its events, oldest first. */
  public record CaseWithEvents(KycCase kycCase, List<CaseEvent> events) {}

  /** A page of cases, oldest first; empty after the last page. */
  public List<KycCase> page(@Nullable CaseStatus status, @Nullable Cursor after, int limit) {
    return store.page(status, after, limit);
  }

  /** The cursor of the page after this one. */
  public static Cursor after(List<KycCase> page) {
    return Cursor.of(page.getLast());
  }

  /** Records that an operator saw the names of these cases in a list. */
  public void recordListed(List<KycCase> page, String operator) {
    Instant now = clock.instant();
    transaction.executeWithoutResult(
        status -> page.forEach(listed -> store.addEvent(listed.id(), operator, "listed", now)));
  }

  /** Returns a case and records that the operator viewed it. */
  public CaseWithEvents view(UUID id, String operator) {
    return Objects.requireNonNull(
        transaction.execute(status -> {
          KycCase found = store.find(id).orElseThrow(CaseDecisionService::notFound);
          store.addEvent(id, operator, "viewed", clock.instant());
          return new CaseWithEvents(found, store.events(id));
        }));
  }

  /**
   * Approves a case and signs its attestation.
   *
   * @param reason required for a case in review
   * @throws CaseConflictException when the case was refused or has no recent screening
   */
  public KycCase approve(UUID id, String operator, @Nullable String reason) {
    String checkedReason = reasonOrNull(reason);
    Outcome outcome = run(() -> approveLocked(locked(id), operator, checkedReason));
    if (outcome == Outcome.SCREENING_OUTDATED) {
      throw new CaseConflictException(CaseConflictException.Kind.NOT_SCREENED);
    }
    return result(id, outcome, "approved");
  }

  /**
   * Refuses a case.
   *
   * @param reason shown to the applicant
   * @throws CaseConflictException when the case was approved
   */
  public KycCase refuse(UUID id, String operator, @Nullable String reason) {
    String checkedReason = reasonOrNull(reason);
    if (checkedReason == null) {
      throw ProtocolException.malformed("a refusal needs a reason");
    }
    return result(id, run(() -> refuseLocked(locked(id), operator, checkedReason)), "refused");
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
        // no reason is needed
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
