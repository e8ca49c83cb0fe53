package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.person.Applicant;
import io.solidus.operator.registration.person.Identity;
import io.solidus.operator.registration.person.IdentityHasher;
import io.solidus.operator.registration.screening.ScreeningUnavailableException;
import io.solidus.platform.security.Operator;
import io.solidus.protocol.ProtocolException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Changes of registered persons, which one officer proposes and another one accepts. The new
 * details are screened; the old ones still find her; her tag stays.
 */
public final class ChangeService {
  private final CaseStore cases;
  private final DuplicateStore duplicates;
  private final ChangeStore changes;
  private final StandingStore steps;
  private final DuplicateSearch search;
  private final CaseScreeningService screening;
  private final CaseDecisionService decisions;
  private final IdentityHasher hasher;
  private final TransactionTemplate transaction;
  private final Clock clock;
  private final Duration validity;

  ChangeService(
      CaseStore cases,
      DuplicateStore duplicates,
      ChangeStore changes,
      StandingStore steps,
      DuplicateSearch search,
      CaseScreeningService screening,
      CaseDecisionService decisions,
      IdentityHasher hasher,
      TransactionTemplate transaction,
      Clock clock,
      Duration validity) {
    this.cases = cases;
    this.duplicates = duplicates;
    this.changes = changes;
    this.steps = steps;
    this.search = search;
    this.screening = screening;
    this.decisions = decisions;
    this.hasher = hasher;
    this.transaction = transaction;
    this.clock = clock;
    this.validity = validity;
  }

  /**
   * Proposes new details of an approved person.
   *
   * @param person with all details
   * @throws CaseConflictException when the case is not approved, its registration is closed, or
   *     another change waits
   */
  public CaseDecisionService.CaseWithEvents propose(
      UUID id, Applicant person, String officer, @Nullable String reason) {
    String checkedReason = CaseDecisionService.reasonOrNull(reason);
    if (checkedReason == null) {
      throw ProtocolException.malformed("a change needs a reason");
    }
    Instant now = clock.instant();
    PersonChange change =
        new PersonChange(UUID.randomUUID(), person, checkedReason, officer, now, null, null, null);
    Identity identity = hasher.identify(person);
    return Objects.requireNonNull(
        transaction.execute(status -> {
          KycCase locked = lockOpen(id);
          if (!locked.person().kind().equals(person.kind())) {
            throw ProtocolException.malformed("this registration is of another kind");
          }
          if (!changes.add(id, identity, change)) {
            throw new CaseConflictException(CaseConflictException.Kind.CHANGE_WAITS);
          }
          cases.addEvent(id, officer, "change proposed", now);
          return decisions.file(locked);
        }));
  }

  /**
   * Screens the proposed details, makes them the person's, and searches for others who have them.
   * Two officers decide on those.
   *
   * @throws CaseConflictException when the officer proposed the change herself, it is decided, the
   *     registration is closed, or nobody can be screened now
   */
  public CaseDecisionService.CaseWithEvents accept(UUID id, UUID changeId, String officer) {
    Instant now = clock.instant();
    Identity identity = hasher.identify(proposed(id, changeId).person());
    transaction.executeWithoutResult(status -> {
      // as registrations do, so that none of the same person passes by unseen
      duplicates.lock(identity);
      KycCase locked = lockOpen(id);
      PersonChange change = waiting(id, changeId);
      if (Operator.samePerson(change.proposedBy(), officer)) {
        throw new CaseConflictException(CaseConflictException.Kind.SAME_PERSON);
      }
      changes.decide(changeId, ChangeStore.ACCEPTED, officer, now);
      duplicates.addDocument(locked.personId(), identity.documentKey(), id, now);
      cases.addEvent(id, officer, "change accepted", now);
      // in this transaction: without an answer nothing is accepted
      try {
        screening.screenChanged(id);
      } catch (ScreeningUnavailableException e) {
        throw new CaseConflictException(CaseConflictException.Kind.NOT_SCREENED);
      }
      search.search(id);
    });
    return decisions.file(cases.find(id).orElseThrow(CaseDecisionService::notFound));
  }

  /** Refuses a change; the officer who proposed it may, too. */
  public CaseDecisionService.CaseWithEvents refuse(UUID id, UUID changeId, String officer) {
    Instant now = clock.instant();
    return Objects.requireNonNull(
        transaction.execute(status -> {
          KycCase locked = cases.lockApproved(id);
          changes.decide(waiting(id, changeId).id(), ChangeStore.REFUSED, officer, now);
          cases.addEvent(id, officer, "change refused", now);
          return decisions.file(locked);
        }));
  }

  private KycCase lockOpen(UUID id) {
    KycCase locked = cases.lockApproved(id);
    if (steps.standing(id) == Standing.CLOSED) {
      throw new CaseConflictException(CaseConflictException.Kind.REGISTRATION_CLOSED);
    }
    return locked;
  }

  private PersonChange proposed(UUID id, UUID changeId) {
    return changes.of(id).stream()
        .filter(each -> each.id().equals(changeId))
        .findFirst()
        .orElseThrow(CaseDecisionService::notFound);
  }

  private PersonChange waiting(UUID id, UUID changeId) {
    PersonChange change = proposed(id, changeId);
    if (change.verdict() != null || change.proposedAt().plus(validity).isBefore(clock.instant())) {
      throw new CaseConflictException(CaseConflictException.Kind.DECIDED_OTHERWISE);
    }
    return change;
  }
}
