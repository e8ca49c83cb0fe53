package io.solidus.operator.registration.cases;

import io.solidus.platform.bank.BankScope;
import io.solidus.platform.security.Operator;
import io.solidus.protocol.ProtocolException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Verdicts on possible duplicates. Two officers have to agree; the database refuses less. A
 * duplicate is refused and its documents become the earlier person's. Two registered persons whom
 * two officers call one stay in the queue until one registration is closed. Who lost her phrase
 * becomes the earlier person and goes on.
 */
public final class DuplicateDecisionService {
  private static final int OFFICERS = 2;

  private final CaseStore cases;
  private final DuplicateStore duplicates;
  private final StandingStore steps;
  private final CaseDecisionService decisions;
  private final TransactionTemplate transaction;
  private final Clock clock;
  private final Duration validity;
  private final CaseMetrics metrics;

  DuplicateDecisionService(
      CaseStore cases,
      DuplicateStore duplicates,
      StandingStore steps,
      CaseDecisionService decisions,
      TransactionTemplate transaction,
      Clock clock,
      Duration validity,
      CaseMetrics metrics) {
    this.cases = cases;
    this.duplicates = duplicates;
    this.steps = steps;
    this.decisions = decisions;
    this.transaction = transaction;
    this.clock = clock;
    this.validity = validity;
    this.metrics = metrics;
  }

  /** A case, and each other case that may be of the same person. */
  public record Review(
      CaseDecisionService.CaseWithEvents file, List<CaseDecisionService.CaseWithEvents> others) {}

  /** Returns a case with all others that may be the same person's; the view is recorded in each. */
  public Review review(BankScope scope, UUID id, String officer) {
    return Objects.requireNonNull(
        transaction.execute(status -> {
          CaseDecisionService.CaseWithEvents file = decisions.recordView(id, officer);
          return new Review(
              file,
              file.duplicates().stream()
                  .filter(pair -> scope.isEvery() || !pair.acrossBanks())
                  .map(pair -> decisions.recordView(pair.beside(id), officer))
                  .toList());
        }));
  }

  /**
   * Records an officer's verdict. With the second equal one the pair is decided.
   *
   * @param id of the later case
   * @throws CaseConflictException when the officer gave another verdict before, the pair or one of
   *     its cases is decided, or a person registers again whose phrase is not lost
   */
  public KycCase decide(
      UUID id, UUID otherId, String officer, DuplicateVerdict verdict, @Nullable String reason) {
    String checkedReason = CaseDecisionService.reasonOrNull(reason);
    if (checkedReason == null) {
      throw ProtocolException.malformed("a verdict needs a reason");
    }
    Instant now = clock.instant();
    PossibleDuplicate.Opinion opinion =
        new PossibleDuplicate.Opinion(officer, verdict, checkedReason, now, false);
    transaction.executeWithoutResult(status -> decideLocked(id, otherId, opinion));
    return cases.find(id).orElseThrow(CaseDecisionService::notFound);
  }

  private void decideLocked(UUID id, UUID otherId, PossibleDuplicate.Opinion opinion) {
    // the earlier case first, as everywhere
    KycCase other = cases.lock(otherId).orElseThrow(CaseDecisionService::notFound);
    KycCase found = cases.lock(id).orElseThrow(CaseDecisionService::notFound);
    // before the job does: a week-old opinion is nobody's second word
    expireOpinions(id, otherId, opinion.at());
    PossibleDuplicate pair =
        duplicates.of(id).stream()
            .filter(each -> each.caseId().equals(id) && each.otherId().equals(otherId))
            .findFirst()
            .orElseThrow(CaseDecisionService::notFound);
    if (isRepeated(pair, opinion)) {
      decisions.recordShown(id, opinion.officer());
      return;
    }
    if (pair.verdict() != null
        || found.status() == CaseStatus.REFUSED
        || other.status() == CaseStatus.REFUSED) {
      throw new CaseConflictException(CaseConflictException.Kind.DECIDED_OTHERWISE);
    }
    if (opinion.verdict() == DuplicateVerdict.REGISTERS_AGAIN) {
      requireLost(found, other);
    }
    duplicates.addOpinion(id, otherId, opinion);
    cases.addEvent(
        id, opinion.officer(), opinion.verdict().id() + " says of " + otherId, opinion.at());
    long agreeing =
        pair.opinions().stream()
                .filter(each -> !each.expired() && each.verdict() == opinion.verdict())
                .count()
            + 1;
    if (agreeing >= OFFICERS) {
      duplicates.decide(id, otherId, opinion.verdict(), opinion.at());
      if (found.status() == CaseStatus.APPROVED) {
        cases.addEvent(
            other.id(), opinion.officer(), opinion.verdict().id() + " of " + id, opinion.at());
      } else if (opinion.verdict() == DuplicateVerdict.DUPLICATE) {
        refuse(found, other, opinion);
      } else if (opinion.verdict() == DuplicateVerdict.REGISTERS_AGAIN) {
        registerAgain(found, other, opinion);
      } else {
        cases.settle(found, duplicates.waits(id));
      }
    }
  }

  /** Of this pair alone, whose cases are locked. */
  private void expireOpinions(UUID id, UUID otherId, Instant now) {
    duplicates
        .expireOpinions(id, otherId, now.minus(validity), now)
        .forEach(each -> cases.addEvent(each, Expiry.ACTOR, "an opinion expired", now));
  }

  private static boolean isRepeated(PossibleDuplicate pair, PossibleDuplicate.Opinion opinion) {
    Optional<PossibleDuplicate.Opinion> before =
        pair.opinions().stream()
            .filter(
                each -> !each.expired() && Operator.samePerson(each.officer(), opinion.officer()))
            .findFirst();
    if (before.isPresent() && before.get().verdict() != opinion.verdict()) {
      throw new CaseConflictException(CaseConflictException.Kind.VERDICT_GIVEN);
    }
    return before.isPresent();
  }

  private void requireLost(KycCase found, KycCase other) {
    if (found.status() == CaseStatus.APPROVED
        || other.status() != CaseStatus.APPROVED
        || !steps.isPhraseLost(other.id())) {
      throw new CaseConflictException(CaseConflictException.Kind.PHRASE_NOT_LOST);
    }
  }

  /** The case becomes one of the earlier person; its approval asks for the earlier address. */
  private void registerAgain(KycCase again, KycCase earlier, PossibleDuplicate.Opinion opinion) {
    if (!again.personId().equals(earlier.personId())) {
      cases.giveTo(again.id(), earlier.personId());
      duplicates.merge(
          again.personId(), earlier.personId(), again.id(), earlier.id(), opinion.at());
    }
    cases.addEvent(
        earlier.id(), opinion.officer(), "registers again in " + again.id(), opinion.at());
    cases.settle(again, duplicates.waits(again.id()));
  }

  private void refuse(KycCase duplicate, KycCase other, PossibleDuplicate.Opinion opinion) {
    cases.refuseDuplicate(
        duplicate.id(), other.personId(), opinion.officer(), opinion.reason(), opinion.at());
    duplicates.merge(
        duplicate.personId(), other.personId(), duplicate.id(), other.id(), opinion.at());
    cases.addEvent(duplicate.id(), opinion.officer(), "refused as a duplicate", opinion.at());
    decisions.freeLater(duplicate.id(), opinion.at());
    metrics.decided("refused");
  }

  /** Two registrations that may be one person's. */
  public record RegisteredPair(PossibleDuplicate pair, KycCase later, KycCase earlier) {}

  /**
   * Returns pairs of registered persons that may be one, in the order of ids, and records in each
   * case that the officer saw the name.
   *
   * @param afterCase the last pair's later case of the page before
   * @param afterOther the last pair's earlier case of the page before
   */
  public List<RegisteredPair> registered(
      UUID afterCase, UUID afterOther, int limit, String officer) {
    return Objects.requireNonNull(
        transaction.execute(status -> {
          List<RegisteredPair> pairs =
              duplicates.registered(afterCase, afterOther, limit).stream()
                  .map(pair ->
                      new RegisteredPair(
                          pair,
                          cases.find(pair.caseId()).orElseThrow(),
                          cases.find(pair.otherId()).orElseThrow()))
                  .toList();
          decisions.recordListed(
              pairs.stream()
                  .flatMap(pair -> Stream.of(pair.later(), pair.earlier()))
                  .distinct()
                  .toList(),
              officer);
          return pairs;
        }));
  }
}
