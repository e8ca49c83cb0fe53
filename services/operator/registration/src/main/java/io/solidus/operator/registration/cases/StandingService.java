package io.solidus.operator.registration.cases;

import io.solidus.platform.bank.BankScope;
import io.solidus.platform.security.Operator;
import io.solidus.protocol.ProtocolException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Suspends, resumes, closes and erases registrations, which one person proposes and another
 * accepts; a refused case is erased in the same way. This service has no power over an address:
 * only the sanctions service stops it, when two people list it there. The applicant reads
 * "approved" all the while.
 */
public final class StandingService {
  private final CaseStore cases;
  private final StandingStore steps;
  private final ErasureService erasure;
  private final CaseDecisionService decisions;
  private final TransactionTemplate transaction;
  private final Clock clock;
  private final Duration validity;

  StandingService(
      CaseStore cases,
      StandingStore steps,
      ErasureService erasure,
      CaseDecisionService decisions,
      TransactionTemplate transaction,
      Clock clock,
      Duration validity) {
    this.cases = cases;
    this.steps = steps;
    this.erasure = erasure;
    this.decisions = decisions;
    this.transaction = transaction;
    this.clock = clock;
    this.validity = validity;
  }

  /** A step that waits, and its case. */
  public record Waiting(Standing.Step step, KycCase kycCase) {}

  /**
   * Proposes a step.
   *
   * @param cause of a closing: {@link Standing#PHRASE_LOST}, or null
   * @throws CaseConflictException when the case is not approved, the step does not fit how the
   *     person stands, the case must be kept, or another step waits
   */
  public CaseDecisionService.CaseWithEvents propose(
      UUID id,
      Standing.Kind kind,
      @Nullable String cause,
      String officer,
      @Nullable String reason) {
    String checkedReason = CaseDecisionService.reasonOrNull(reason);
    if (checkedReason == null) {
      throw ProtocolException.malformed("a step needs a reason");
    }
    if (cause != null && !(kind == Standing.Kind.CLOSE && cause.equals(Standing.PHRASE_LOST))) {
      throw ProtocolException.malformed("the cause of a closing is phrase-lost, or missing");
    }
    Instant now = clock.instant();
    Standing.Step step =
        new Standing.Step(
            UUID.randomUUID(), id, kind, cause, checkedReason, officer, now, null, null, null);
    return Objects.requireNonNull(
        transaction.execute(status -> {
          KycCase locked = locked(id, kind);
          requirePossible(locked, kind, now);
          if (!steps.add(step)) {
            throw new CaseConflictException(CaseConflictException.Kind.STEP_WAITS);
          }
          cases.addEvent(id, officer, step.name() + " proposed", now);
          return decisions.file(locked);
        }));
  }

  /**
   * Accepts a step.
   *
   * @throws CaseConflictException when the approver proposed it herself, or it is decided or
   *     expired
   */
  public CaseDecisionService.CaseWithEvents accept(UUID id, UUID stepId, String approver) {
    Instant now = clock.instant();
    return Objects.requireNonNull(
        transaction.execute(status -> {
          Standing.Step step = waiting(id, stepId, now);
          KycCase locked = locked(id, step.kind());
          step = waiting(id, stepId, now); // as it is under the lock
          if (Operator.samePerson(step.proposedBy(), approver)) {
            throw new CaseConflictException(CaseConflictException.Kind.SAME_PERSON);
          }
          requirePossible(locked, step.kind(), now);
          steps.decide(stepId, StandingStore.ACCEPTED, approver, now);
          cases.addEvent(id, approver, step.name() + " accepted", now);
          if (step.kind() == Standing.Kind.ERASE) {
            erasure.eraseAtRequest(locked, approver, now);
            return decisions.file(cases.find(id).orElseThrow(CaseDecisionService::notFound));
          }
          return decisions.file(locked);
        }));
  }

  /** Refuses a step; whoever proposed it may, too. */
  public CaseDecisionService.CaseWithEvents refuse(UUID id, UUID stepId, String officer) {
    Instant now = clock.instant();
    return Objects.requireNonNull(
        transaction.execute(status -> {
          KycCase locked = locked(id, waiting(id, stepId, now).kind());
          Standing.Step step = waiting(id, stepId, now);
          steps.decide(stepId, StandingStore.REFUSED, officer, now);
          cases.addEvent(id, officer, step.name() + " refused", now);
          return decisions.file(locked);
        }));
  }

  /**
   * Returns steps that wait, in the order of their ids, and records in each case that the person
   * saw the name.
   *
   * @param after the last id of the page before; null for the first page
   */
  public List<Waiting> waiting(BankScope scope, @Nullable UUID after, int limit, String officer) {
    return Objects.requireNonNull(
        transaction.execute(status -> {
          List<Waiting> page =
              steps.waiting(scope, after == null ? new UUID(0, 0) : after, limit).stream()
                  .map(step -> new Waiting(step, cases.find(step.caseId()).orElseThrow()))
                  .toList();
          decisions.recordListed(page.stream().map(Waiting::kycCase).toList(), officer);
          return page;
        }));
  }

  private KycCase locked(UUID id, Standing.Kind kind) {
    return kind == Standing.Kind.ERASE ? erasure.lockWithRelated(id) : cases.lockApproved(id);
  }

  private void requirePossible(KycCase locked, Standing.Kind kind, Instant now) {
    boolean refused = locked.status() == CaseStatus.REFUSED && kind == Standing.Kind.ERASE;
    if (!refused && !kind.isPossible(steps.standing(locked.id()))) {
      throw new CaseConflictException(CaseConflictException.Kind.STEP_IMPOSSIBLE);
    }
    if (kind == Standing.Kind.ERASE) {
      erasure.requireKeptLongEnough(locked, now);
    }
  }

  private Standing.Step waiting(UUID id, UUID stepId, Instant now) {
    Standing.Step step =
        steps.of(id).stream()
            .filter(each -> each.id().equals(stepId))
            .findFirst()
            .orElseThrow(CaseDecisionService::notFound);
    if (step.verdict() != null || step.proposedAt().plus(validity).isBefore(now)) {
      throw new CaseConflictException(CaseConflictException.Kind.DECIDED_OTHERWISE);
    }
    return step;
  }
}
