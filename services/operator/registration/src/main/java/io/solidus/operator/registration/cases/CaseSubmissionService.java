package io.solidus.operator.registration.cases;

import io.solidus.operator.registration.evidence.RegistrationCheck;
import io.solidus.operator.registration.person.Identity;
import io.solidus.operator.registration.person.IdentityHasher;
import io.solidus.operator.registration.person.Person;
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
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Takes registrations in: one case per identity, per document and per address. The database's
 * unique indexes decide, so any number of simultaneous attempts has one winner.
 */
public final class CaseSubmissionService {
  private static final String WALLET = "wallet";

  /** A person east of Greenwich may be born tomorrow. */
  private static final int DATE_LINE_DAYS = 1;

  private final NetworkId network;
  private final IdentityHasher hasher;
  private final RegistrationCheck check;
  private final CaseStore store;
  private final CaseScreeningService screening;
  private final TransactionTemplate transaction;
  private final Clock clock;
  private final CaseMetrics metrics;

  CaseSubmissionService(
      NetworkId network,
      IdentityHasher hasher,
      RegistrationCheck check,
      CaseStore store,
      CaseScreeningService screening,
      TransactionTemplate transaction,
      Clock clock,
      CaseMetrics metrics) {
    this.network = network;
    this.hasher = hasher;
    this.check = check;
    this.store = store;
    this.screening = screening;
    this.transaction = transaction;
    this.clock = clock;
    this.metrics = metrics;
  }

  /** A case as its wallet may see it, and the token that opens it. */
  public record Receipt(KycCase kycCase, Digest32 token) {

    @Override
    public String toString() {
      return "Receipt[redacted]";
    }
  }

  private record Taken(UUID id, boolean fresh) {}

  /**
   * Takes a registration in, or finds the case of the same request.
   *
   * @param idempotencyKey person and core together stand in when there is none
   * @throws ProtocolException already-registered, idempotency-mismatch, or why the request is not
   *     worth a case
   */
  public Receipt submit(Person person, RegisterRequest request, @Nullable String idempotencyKey) {
    Instant now = clock.instant();
    person.requireBornBy(LocalDate.ofInstant(now, ZoneOffset.UTC).plusDays(DATE_LINE_DAYS));
    Identity identity = hasher.identify(person);
    TxCore core = request.statement().core(network);
    Digest32 requestDigest = hasher.requestDigest(identity, core);
    Digest32 requestKey =
        idempotencyKey == null ? requestDigest : hasher.requestKey(idempotencyKey);
    check.require(request);
    NewCase fresh = new NewCase(identity, person, request, core, requestKey, requestDigest);
    Taken taken = transaction.execute(status -> take(fresh, now));
    if (taken.fresh()) {
      metrics.submitted();
      screening.screenNow(taken.id());
    }
    return new Receipt(store.find(taken.id()).orElseThrow(), hasher.caseToken(taken.id()));
  }

  /** The case, to whoever holds its token; an unknown case and a wrong token look the same. */
  public KycCase open(UUID id, String token) {
    Optional<KycCase> found = matches(id, token) ? store.find(id) : Optional.empty();
    return found.orElseThrow(() ->
        new ProtocolException(RejectionCode.NOT_FOUND, "there is no such case for this token"));
  }

  private boolean matches(UUID id, String token) {
    try {
      return MessageDigest.isEqual(hasher.caseToken(id).bytes(), Base64Url.decode(token, "token"));
    } catch (ProtocolException malformed) {
      return false;
    }
  }

  private Taken take(NewCase fresh, Instant now) {
    Optional<UUID> known = known(fresh);
    if (known.isPresent()) {
      return new Taken(known.get(), false);
    }
    UUID id = UUID.randomUUID();
    if (store.insert(id, fresh, now)) {
      store.addEvent(id, WALLET, "submitted", now);
      return new Taken(id, true);
    }
    // what stood in the way is committed by now: a copy of this request, or somebody else's case
    return known(fresh)
        .map(winner -> new Taken(winner, false))
        .orElseThrow(
            () -> alreadyRegistered("this person, document or address already has a registration"));
  }

  /** The case of the same request. Under the key of a refused case a corrected request may come. */
  private Optional<UUID> known(NewCase fresh) {
    Optional<CaseStore.Known> known = store.findByRequest(fresh.requestKey());
    if (known.isEmpty() || known.get().requestDigest().equals(fresh.requestDigest())) {
      return known.map(CaseStore.Known::id);
    }
    if (known.get().status() != CaseStatus.REFUSED) {
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
