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
 * Suspends, resumes and closes registrations, which one person proposes and another accepts. This
 * service has no power over an address: only the sanctions service stops it, when two people list
 * it there. The applicant reads "approved" all the while.
 */
public final class StandingService {
  private final CaseStore cases;
  private final StandingStore steps;
  private final CaseDecisionService decisions;
  private final TransactionTemplate transaction;
  private final Clock clock;
  private final Duration validity;

  StandingService(
      CaseStore cases,
      StandingStore steps,
      CaseDecisionService decisions,
      TransactionTemplate transaction,
      Clock clock,
      Duration validity) {
    this.cases = cases;
    this.steps = steps;
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
   *     person stands, or another step waits
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
          KycCase locked = cases.lockApproved(id);
          requirePossible(id, kind);
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
          KycCase locked = cases.lockApproved(id);
          Standing.Step step = waiting(id, stepId, now);
          if (Operator.samePerson(step.proposedBy(), approver)) {
            throw new CaseConflictException(CaseConflictException.Kind.SAME_PERSON);
          }
          requirePossible(id, step.kind());
          steps.decide(stepId, StandingStore.ACCEPTED, approver, now);
          cases.addEvent(id, approver, step.name() + " accepted", now);
          return decisions.file(locked);
        }));
  }

  /** Refuses a step; whoever proposed it may, too. */
  public CaseDecisionService.CaseWithEvents refuse(UUID id, UUID stepId, String officer) {
    Instant now = clock.instant();
    return Objects.requireNonNull(
        transaction.execute(status -> {
          KycCase locked = cases.lockApproved(id);
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

  private void requirePossible(UUID id, Standing.Kind kind) {
    if (!kind.isPossible(steps.standing(id))) {
      throw new CaseConflictException(CaseConflictException.Kind.STEP_IMPOSSIBLE);
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
