package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.screening.ScreeningMatch;
import io.solidus.platform.bank.BankScope;
import io.solidus.platform.security.Operator;
import io.solidus.protocol.ProtocolException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Officers' dispositions of matches, and the approved persons who wait for one. A disposition is
 * remembered until the listed entry or the person's details change.
 */
public final class MatchService {
  private final CaseStore cases;
  private final ScreeningStore screenings;
  private final CaseDecisionService decisions;
  private final TransactionTemplate transaction;
  private final Clock clock;
  private final Duration validity;

  MatchService(
      CaseStore cases,
      ScreeningStore screenings,
      CaseDecisionService decisions,
      TransactionTemplate transaction,
      Clock clock,
      Duration validity) {
    this.cases = cases;
    this.screenings = screenings;
    this.decisions = decisions;
    this.transaction = transaction;
    this.clock = clock;
    this.validity = validity;
  }

  /** A person with matches that are open: nobody called them false, or one alone did. */
  public record Alert(KycCase kycCase, int openMatches) {}

  /**
   * Records what an officer found out about a match of the newest screening.
   *
   * @param key of the match
   * @param digest of the entry's content that the officer saw
   * @return the case with all that belongs to it
   * @throws CaseConflictException when the case was refused, or the newest screening has no such
   *     match
   */
  public CaseDecisionService.CaseWithEvents dispose(
      UUID id,
      @Nullable String key,
      @Nullable String digest,
      Disposition.Verdict verdict,
      String officer,
      @Nullable String reason) {
    String checkedReason = CaseDecisionService.reasonOrNull(reason);
    if (key == null || digest == null || checkedReason == null) {
      throw ProtocolException.malformed("a disposition needs key, entryDigest and reason");
    }
    Disposition disposition = new Disposition(verdict, checkedReason, officer, clock.instant());
    return Objects.requireNonNull(
        transaction.execute(status -> {
          KycCase locked = cases.lock(id).orElseThrow(CaseDecisionService::notFound);
          if (locked.status() == CaseStatus.REFUSED) {
            throw new CaseConflictException(CaseConflictException.Kind.DECIDED_OTHERWISE);
          }
          List<ScreeningMatch> matches = newestMatches(locked);
          screenings.addDisposition(locked, find(matches, key, digest), disposition);
          screenings.refresh(locked, matches);
          cases.addEvent(id, officer, "match: " + verdict.id(), disposition.at());
          return decisions.file(locked);
        }));
  }

  /**
   * Confirms that a match is not the person, as another officer has said, or says that it is.
   *
   * @param key of the match
   * @param digest of the entry's content that the approver saw
   * @return the case with all that belongs to it
   * @throws CaseConflictException when the case was refused, nobody has called the match false, the
   *     approver did so herself, or the newest screening has no such match
   */
  public CaseDecisionService.CaseWithEvents confirm(
      UUID id,
      @Nullable String key,
      @Nullable String digest,
      Disposition.Verdict verdict,
      String approver,
      @Nullable String reason) {
    if (verdict == Disposition.Verdict.TRUE_MATCH) {
      return dispose(id, key, digest, verdict, approver, reason);
    }
    String checkedReason = CaseDecisionService.reasonOrNull(reason);
    if (key == null || digest == null || checkedReason == null) {
      throw ProtocolException.malformed("a confirmation needs key, entryDigest and reason");
    }
    Disposition.Confirmation confirmation =
        new Disposition.Confirmation(approver, checkedReason, clock.instant());
    return Objects.requireNonNull(
        transaction.execute(status -> {
          KycCase locked = cases.lock(id).orElseThrow(CaseDecisionService::notFound);
          if (locked.status() == CaseStatus.REFUSED) {
            throw new CaseConflictException(CaseConflictException.Kind.DECIDED_OTHERWISE);
          }
          List<CaseScreening.DisposedMatch> matches = newestDisposed(locked);
          Disposition disposition = unconfirmed(matches, key, digest);
          if (Operator.samePerson(disposition.officer(), approver)) {
            throw new CaseConflictException(CaseConflictException.Kind.SAME_PERSON);
          }
          screenings.confirm(id, disposition.sequence(), confirmation);
          screenings.refresh(
              locked, matches.stream().map(CaseScreening.DisposedMatch::match).toList());
          cases.addEvent(id, approver, "match: false-positive confirmed", confirmation.at());
          return decisions.file(locked);
        }));
  }

  private Disposition unconfirmed(
      List<CaseScreening.DisposedMatch> matches, String key, String digest) {
    ScreeningMatch match =
        find(matches.stream().map(CaseScreening.DisposedMatch::match).toList(), key, digest);
    Disposition disposition =
        matches.stream()
            .filter(each -> each.match().equals(match) && each.isUnconfirmed())
            .map(CaseScreening.DisposedMatch::disposition)
            .findFirst()
            .orElse(null);
    if (disposition == null || disposition.at().plus(validity).isBefore(clock.instant())) {
      throw new CaseConflictException(CaseConflictException.Kind.NOTHING_TO_CONFIRM);
    }
    return disposition;
  }

  private List<CaseScreening.DisposedMatch> newestDisposed(KycCase locked) {
    return screenings.history(locked, 1).stream()
        .flatMap(newest -> newest.matches().stream())
        .toList();
  }

  private List<ScreeningMatch> newestMatches(KycCase locked) {
    return newestDisposed(locked).stream().map(CaseScreening.DisposedMatch::match).toList();
  }

  private static ScreeningMatch find(List<ScreeningMatch> matches, String key, String digest) {
    return matches.stream()
        .filter(match -> match.stableKey().equals(key) && match.contentDigest().equals(digest))
        .findFirst()
        .orElseThrow(() -> new CaseConflictException(CaseConflictException.Kind.MATCH_CHANGED));
  }

  /**
   * Returns approved persons who match a list, in the order of their cases' ids, and records in
   * each case that the officer saw the name.
   *
   * @param after the last id of the page before; null for the first page
   */
  public List<Alert> alerts(BankScope scope, @Nullable UUID after, int limit, String officer) {
    return Objects.requireNonNull(
        transaction.execute(status -> {
          List<KycCase> page =
              screenings.alerts(scope, after == null ? new UUID(0, 0) : after, limit).stream()
                  .flatMap(id -> cases.find(id).stream())
                  .toList();
          decisions.recordListed(page, officer);
          return page.stream().map(this::alert).toList();
        }));
  }

  /**
   * Returns cases with a match that waits for another person's word, in the order of their ids, and
   * records in each that the person saw the name.
   *
   * @param after the last id of the page before; null for the first page
   */
  public List<Alert> unconfirmed(
      BankScope scope, @Nullable UUID after, int limit, String approver) {
    return Objects.requireNonNull(
        transaction.execute(status -> {
          List<KycCase> page =
              screenings.unconfirmed(scope, after == null ? new UUID(0, 0) : after, limit).stream()
                  .flatMap(id -> cases.find(id).stream())
                  .toList();
          decisions.recordListed(page, approver);
          return page.stream().map(this::alert).toList();
        }));
  }

  private Alert alert(KycCase found) {
    return new Alert(
        found, screenings.newest(found.id()).map(ScreeningStore.Newest::open).orElse(0));
  }
}
