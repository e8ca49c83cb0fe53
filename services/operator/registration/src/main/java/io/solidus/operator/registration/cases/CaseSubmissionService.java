package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.evidence.RegistrationCheck;
import io.solidus.operator.registration.person.Applicant;
import io.solidus.operator.registration.person.Identity;
import io.solidus.operator.registration.person.IdentityHasher;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TxCore;
import io.solidus.wire.json.Base64Url;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Accepts registrations. An address has one case; the database's unique index decides. Who may have
 * a case already gets another one, which waits for two officers: the answer is the same for a known
 * person and a new one, so that it tells strangers nothing.
 */
public final class CaseSubmissionService {
  private static final String WALLET = "wallet";

  /** East of Greenwich the local date may be tomorrow's date in UTC. */
  private static final int DATE_LINE_DAYS = 1;

  private final NetworkId network;
  private final IdentityHasher hasher;
  private final RegistrationCheck check;
  private final CaseStore store;
  private final DuplicateStore duplicates;
  private final DuplicateSearch search;
  private final CaseScreeningService screening;
  private final StandingStore steps;
  private final TransactionTemplate transaction;
  private final Clock clock;
  private final CaseMetrics metrics;

  CaseSubmissionService(
      NetworkId network,
      IdentityHasher hasher,
      RegistrationCheck check,
      CaseStore store,
      DuplicateStore duplicates,
      DuplicateSearch search,
      CaseScreeningService screening,
      StandingStore steps,
      TransactionTemplate transaction,
      Clock clock,
      CaseMetrics metrics) {
    this.network = network;
    this.hasher = hasher;
    this.check = check;
    this.store = store;
    this.duplicates = duplicates;
    this.search = search;
    this.screening = screening;
    this.steps = steps;
    this.transaction = transaction;
    this.clock = clock;
    this.metrics = metrics;
  }

  /** A case, and the token that gives its wallet access to it. */
  public record Receipt(KycCase kycCase, Digest32 token) {

    @Override
    public String toString() {
      return "Receipt[redacted]";
    }
  }

  private record FoundOrCreated(UUID id, boolean created) {}

  /**
   * Creates a case, or finds the case of the same request.
   *
   * @param idempotencyKey null: the digest of person and core serves as the key
   * @throws ProtocolException already-registered, idempotency-mismatch, malformed-request, or the
   *     code of a failed check
   */
  public Receipt submit(
      Applicant person, RegisterRequest request, @Nullable String idempotencyKey, String bank) {
    Instant now = clock.instant();
    person.requireBornBy(LocalDate.ofInstant(now, ZoneOffset.UTC).plusDays(DATE_LINE_DAYS));
    Identity identity = hasher.identify(person);
    TxCore core = request.statement().core(network);
    Digest32 requestDigest = hasher.requestDigest(identity, core, bank);
    Digest32 requestKey =
        idempotencyKey == null ? requestDigest : hasher.requestKey(idempotencyKey);
    check.require(request);
    search.requireComplete();
    NewCase fresh = new NewCase(identity, person, request, core, requestKey, requestDigest, bank);
    FoundOrCreated result =
        search.alone(
            identity,
            () -> Objects.requireNonNull(transaction.execute(status -> findOrCreate(fresh, now))));
    if (result.created()) {
      metrics.submitted();
      screening.screenNow(result.id());
    }
    return new Receipt(store.find(result.id()).orElseThrow(), hasher.caseToken(result.id()));
  }

  /** Returns a case to the holder of its token. An unknown case and a wrong token fail alike. */
  public KycCase open(UUID id, String token) {
    Optional<KycCase> found = isTokenOf(id, token) ? store.find(id) : Optional.empty();
    return found.orElseThrow(() ->
        new ProtocolException(RejectionCode.NOT_FOUND, "there is no such case for this token"));
  }

  /**
   * Requires the token of a case whose registration stands. An unknown case, a wrong token and
   * another status fail alike.
   *
   * @throws ProtocolException not-found
   */
  public void requireRegistered(UUID id, String token) {
    if (open(id, token).status() != CaseStatus.APPROVED || steps.standing(id) == Standing.CLOSED) {
      throw new ProtocolException(RejectionCode.NOT_FOUND, "there is no such case for this token");
    }
  }

  private boolean isTokenOf(UUID id, String token) {
    try {
      return MessageDigest.isEqual(hasher.caseToken(id).bytes(), Base64Url.decode(token, "token"));
    } catch (ProtocolException e) {
      return false;
    }
  }

  private FoundOrCreated findOrCreate(NewCase fresh, Instant now) {
    duplicates.lock(fresh.identity());
    Optional<UUID> existing = existingCase(fresh);
    if (existing.isPresent()) {
      return new FoundOrCreated(existing.get(), false);
    }
    UUID id = UUID.randomUUID();
    UUID personId = UUID.randomUUID();
    if (store.insert(id, personId, fresh, now)) {
      duplicates.addPerson(personId, now);
      duplicates.addDocument(personId, fresh.identity().documentKey(), id, now);
      store.addEvent(id, WALLET, "submitted", now);
      DuplicateStore.Subject subject =
          new DuplicateStore.Subject(id, personId, CaseStatus.PENDING_SCREENING, now);
      if (search.find(subject, fresh.identity(), fresh.person(), now) > 0) {
        metrics.possibleDuplicate();
      }
      return new FoundOrCreated(id, true);
    }
    // the conflicting case is committed now: either a copy of this request or another registration
    return existingCase(fresh)
        .map(winner -> new FoundOrCreated(winner, false))
        .orElseThrow(() -> alreadyRegistered("this address already has a registration"));
  }

  /** The case of the same request. A corrected request may use the key of a refused case. */
  private Optional<UUID> existingCase(NewCase fresh) {
    Optional<CaseStore.ExistingCase> existing = store.findByRequest(fresh.requestKey());
    if (existing.isEmpty() || existing.get().requestDigest().equals(fresh.requestDigest())) {
      return existing.map(CaseStore.ExistingCase::id);
    }
    if (existing.get().status() != CaseStatus.REFUSED) {
      throw new ProtocolException(
          RejectionCode.IDEMPOTENCY_MISMATCH, "this Idempotency-Key was used with another request");
    }
    return Optional.empty();
  }

  private ProtocolException alreadyRegistered(String detail) {
    metrics.duplicate();
    return new ProtocolException(RejectionCode.ALREADY_REGISTERED, detail);
  }
}
