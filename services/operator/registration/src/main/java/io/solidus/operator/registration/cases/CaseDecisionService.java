package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.person.IdentityHasher;
import io.solidus.operator.registration.person.Organisation;
import io.solidus.operator.registration.screening.ScreeningUnavailableException;
import io.solidus.platform.bank.BankScope;
import io.solidus.platform.security.Operator;
import io.solidus.protocol.Digest32;
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
  private static final int MAX_SCREENINGS = 50;
  private static final String LISTED = "listed";

  /** The events of an approval; a bank reads the second one only of registrations at it. */
  public static final String APPROVED = "approved";

  public static final String APPROVED_AGAIN = "approved, registers again";

  private final CaseStore store;
  private final DuplicateStore duplicates;
  private final ScreeningStore screenings;
  private final ChangeStore changes;
  private final ClaimStore claims;
  private final StandingStore steps;
  private final ErasureStore erasures;
  private final ApprovalStore approvals;
  private final DuplicateSearch search;
  private final RegisteringAgain again;
  private final CaseScreeningService screening;
  private final IdentityHasher hasher;
  private final Attestor attestor;
  private final TransactionTemplate transaction;
  private final Clock clock;
  private final CaseMetrics metrics;
  private final Duration validity;

  CaseDecisionService(
      CaseStore store,
      DuplicateStore duplicates,
      ScreeningStore screenings,
      ChangeStore changes,
      ClaimStore claims,
      StandingStore steps,
      ErasureStore erasures,
      ApprovalStore approvals,
      DuplicateSearch search,
      RegisteringAgain again,
      CaseScreeningService screening,
      IdentityHasher hasher,
      Attestor attestor,
      TransactionTemplate transaction,
      Clock clock,
      CaseMetrics metrics,
      Duration validity) {
    this.store = store;
    this.duplicates = duplicates;
    this.screenings = screenings;
    this.changes = changes;
    this.claims = claims;
    this.steps = steps;
    this.erasures = erasures;
    this.approvals = approvals;
    this.search = search;
    this.again = again;
    this.screening = screening;
    this.hasher = hasher;
    this.attestor = attestor;
    this.transaction = transaction;
    this.clock = clock;
    this.metrics = metrics;
    this.validity = validity;
  }

  /**
   * A case with all that belongs to it.
   *
   * @param events oldest first
   * @param duplicates the pairs that the case is in
   * @param screenings newest first, at most 50
   * @param changes oldest first
   * @param duplicatesCut whether more cases may be of this person than are shown
   * @param documents the numbers of all documents that the person has shown to this bank
   * @param registrations banks of the person's registrations, one each, this one included
   * @param againAtBank whether the person had an earlier registration than this one at this bank
   * @param atOtherBanks whether the person has a case at another bank, too
   * @param claim of the officer who works on the case; null without one
   * @param standing of an approved case; null for others
   * @param steps of the case, oldest first
   * @param erasedAt when the personal data was erased; null while it is held
   * @param approvals of an organisation, oldest first
   */
  public record CaseWithEvents(
      KycCase kycCase,
      List<CaseEvent> events,
      List<PossibleDuplicate> duplicates,
      boolean duplicatesCut,
      List<CaseScreening> screenings,
      List<PersonChange> changes,
      List<String> documents,
      List<String> registrations,
      boolean againAtBank,
      boolean atOtherBanks,
      @Nullable CaseClaim claim,
      @Nullable Standing standing,
      List<Standing.Step> steps,
      @Nullable Instant erasedAt,
      List<CaseApproval> approvals) {}

  /** A page of cases, in one order or the other; empty after the last page. */
  public List<KycCase> page(
      BankScope scope,
      @Nullable CaseStatus status,
      @Nullable Cursor after,
      boolean newestFirst,
      int limit) {
    return store.page(scope, status, after, newestFirst, limit);
  }

  /** The cursor of the page after this one. */
  public static Cursor after(List<KycCase> page) {
    return Cursor.of(page.getLast());
  }

  /** Records that an operator saw the names of these cases in a list. */
  public void recordListed(List<KycCase> page, String operator) {
    Instant now = clock.instant();
    transaction.executeWithoutResult(
        status -> page.forEach(listed -> store.addEvent(listed.id(), operator, LISTED, now)));
  }

  /** Records that an answer shows a name to an operator who changed nothing. */
  void recordShown(UUID id, String operator) {
    store.addEvent(id, operator, LISTED, clock.instant());
  }

  /** Returns a case and records that the operator viewed it. */
  public CaseWithEvents view(UUID id, String operator) {
    return Objects.requireNonNull(transaction.execute(status -> recordView(id, operator)));
  }

  /** As {@link #view}, in the caller's transaction. */
  CaseWithEvents recordView(UUID id, String operator) {
    KycCase found = store.find(id).orElseThrow(CaseDecisionService::notFound);
    store.addEvent(id, operator, "viewed", clock.instant());
    return file(found);
  }

  CaseWithEvents file(KycCase found) {
    UUID id = found.id();
    List<CaseStore.Registration> registrations = store.registrations(found.personId());
    return new CaseWithEvents(
        found,
        store.events(id),
        duplicates.of(id),
        duplicates.isCut(id),
        screenings.history(found, MAX_SCREENINGS),
        changes.of(id),
        changes.documents(found.personId(), found.bank()),
        registrations.stream().map(CaseStore.Registration::bank).toList(),
        registrations.stream()
            .dropWhile(each -> !each.caseId().equals(id))
            .skip(1)
            .anyMatch(each -> each.bank().equals(found.bank())),
        store.isAtOtherBanks(found.personId(), found.bank()),
        claims.find(id, clock.instant()).orElse(null),
        found.status() == CaseStatus.APPROVED ? steps.standing(id) : null,
        steps.of(id),
        erasures.erasedAt(id),
        approvals.of(
            id, Objects.requireNonNullElseGet(found.decidedAt(), clock::instant).minus(validity)));
  }

  /**
   * Screens a case against the newest lists, approves it and signs its attestation. An organisation
   * needs a second officer: the first one's approval is kept.
   *
   * @param reason required for a case in review and for an organisation
   * @throws CaseConflictException when the case was refused, waits for something, has an open
   *     match, or is an organisation that this officer alone has approved
   */
  public KycCase approve(UUID id, String operator, @Nullable String reason) {
    String checkedReason = reasonOrNull(reason);
    boolean newer = screenAgain(id);
    Outcome outcome = run(() -> approveLocked(locked(id), operator, checkedReason, newer));
    return result(id, operator, outcome, APPROVED);
  }

  /** Whether the lists are newer than those of the screening that the officer saw. */
  private boolean screenAgain(UUID id) {
    KycCase found = store.find(id).orElseThrow(CaseDecisionService::notFound);
    if (found.status() != CaseStatus.PENDING && found.status() != CaseStatus.REVIEW) {
      return false; // not to be approved
    }
    search.search(id);
    try {
      return screening.screenForApproval(found);
    } catch (ScreeningUnavailableException e) {
      throw new CaseConflictException(CaseConflictException.Kind.NOT_SCREENED);
    }
  }

  /**
   * Refuses a case.
   *
   * @param code what the applicant reads
   * @param reason for the file
   * @throws CaseConflictException when the case was approved
   */
  public KycCase refuse(
      UUID id, String operator, @Nullable RefusalCode code, @Nullable String reason) {
    String checkedReason = reasonOrNull(reason);
    if (code == null || checkedReason == null) {
      throw ProtocolException.malformed("a refusal needs a code and a reason");
    }
    return result(
        id,
        operator,
        run(() -> refuseLocked(locked(id), operator, code, checkedReason)),
        "refused");
  }

  private enum Outcome {
    DONE,
    WAITS_FOR_SECOND,
    DONE_BEFORE
  }

  private Outcome approveLocked(
      KycCase found, String operator, @Nullable String reason, boolean newer) {
    Instant now = clock.instant();
    switch (found.status()) {
      case APPROVED -> {
        return Outcome.DONE_BEFORE;
      }
      case REFUSED -> throw new CaseConflictException(CaseConflictException.Kind.DECIDED_OTHERWISE);
      case PENDING_SCREENING ->
          throw new CaseConflictException(CaseConflictException.Kind.NOT_SCREENED);
      case POSSIBLE_DUPLICATE ->
          throw new CaseConflictException(CaseConflictException.Kind.POSSIBLE_DUPLICATE);
      case REVIEW -> {
        requireNoOpenMatch(found.id(), newer);
        requireReason(reason);
      }
      case PENDING -> {
        // no reason is needed
      }
    }
    requireUnclaimed(found.id(), operator, now);
    requireNewestLists(found.id());
    int generation = again.generation(found);
    if (found.person() instanceof Organisation && !isSecond(found.id(), operator, reason, now)) {
      claims.remove(found.id()); // the other officer decides now
      store.addEvent(found.id(), operator, "approved as the first of two", now);
      return Outcome.WAITS_FOR_SECOND;
    }
    String note = attestor.attest(found, tag(found, generation), now);
    store.approve(found.id(), operator, reason, note, generation, now);
    store.addEvent(found.id(), operator, generation == 1 ? APPROVED : APPROVED_AGAIN, now);
    return Outcome.DONE;
  }

  /** Keeps an approval of an organisation; whether another officer's counts beside it. */
  private boolean isSecond(UUID id, String officer, @Nullable String reason, Instant now) {
    if (reason == null) {
      throw ProtocolException.malformed("approving an organisation needs a reason");
    }
    List<CaseApproval> valid =
        approvals.of(id, now.minus(validity)).stream().filter(each -> !each.expired()).toList();
    boolean second = valid.stream().anyMatch(each -> !Operator.samePerson(each.officer(), officer));
    if (!second && !valid.isEmpty()) {
      throw new CaseConflictException(CaseConflictException.Kind.SAME_PERSON);
    }
    approvals.add(id, new CaseApproval(officer, reason, now, false));
    return second;
  }

  private void requireUnclaimed(UUID id, String operator, Instant now) {
    if (claims
        .find(id, now)
        .filter(claim -> !Operator.samePerson(claim.officer(), operator))
        .isPresent()) {
      throw new CaseConflictException(CaseConflictException.Kind.CLAIMED);
    }
  }

  /** Asked under the lock: the lists may have changed, or an older answer may have been slow. */
  private void requireNewestLists(UUID id) {
    boolean newest;
    try {
      newest = screening.isNewest(id);
    } catch (ScreeningUnavailableException e) {
      throw new CaseConflictException(CaseConflictException.Kind.NOT_SCREENED);
    }
    if (!newest) {
      throw new CaseConflictException(CaseConflictException.Kind.SCREENING_OUTDATED);
    }
  }

  private void requireNoOpenMatch(UUID id, boolean newer) {
    if (screenings.newest(id).map(newest -> newest.open() > 0).orElse(true)) {
      throw new CaseConflictException(
          newer
              ? CaseConflictException.Kind.SCREENING_OUTDATED
              : CaseConflictException.Kind.MATCHES_OPEN);
    }
  }

  private Digest32 tag(KycCase found, int generation) {
    if (generation > 1) {
      return hasher.personTag(found.personId(), generation);
    }
    return duplicates.tag(
        found.personId(), hasher.personTag(found.person()), hasher.personTag(found.personId()));
  }

  private Outcome refuseLocked(KycCase found, String operator, RefusalCode code, String reason) {
    Instant now = clock.instant();
    switch (found.status()) {
      case REFUSED -> {
        return Outcome.DONE_BEFORE;
      }
      case APPROVED ->
          throw new CaseConflictException(CaseConflictException.Kind.DECIDED_OTHERWISE);
      case PENDING_SCREENING, PENDING, REVIEW, POSSIBLE_DUPLICATE -> {
        requireUnclaimed(found.id(), operator, now);
        store.refuse(found.id(), operator, code, reason, now);
        store.addEvent(found.id(), operator, "refused", now);
        freeLater(found.id(), now);
      }
    }
    return Outcome.DONE;
  }

  /** Whoever waited for a verdict beside a case that is refused now is screened again. */
  void freeLater(UUID refused, Instant now) {
    for (UUID later : duplicates.laterThan(refused)) {
      KycCase locked = locked(later);
      if (!duplicates.waits(locked.id())) {
        store.requireScreening(locked.id(), now);
      }
    }
  }

  private KycCase result(UUID id, String operator, Outcome outcome, String decision) {
    if (outcome == Outcome.DONE) {
      metrics.decided(decision);
    } else {
      recordShown(id, operator);
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

  static @Nullable String reasonOrNull(@Nullable String reason) {
    if (reason == null || reason.isBlank()) {
      return null;
    }
    if (reason.length() > MAX_REASON_CHARS) {
      throw ProtocolException.malformed("the reason is too long");
    }
    return reason.strip();
  }

  /** For a case that does not exist. */
  static ProtocolException notFound() {
    return new ProtocolException(RejectionCode.NOT_FOUND, "there is no such case");
  }
}
