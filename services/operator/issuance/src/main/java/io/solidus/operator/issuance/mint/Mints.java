package io.solidus.operator.issuance.mint;

import io.solidus.operator.issuance.books.Ledger;
import io.solidus.operator.issuance.books.OperatorAuditLog;
import io.solidus.operator.issuance.evidence.EvidenceCheck;
import io.solidus.operator.issuance.funding.Funding;
import io.solidus.operator.issuance.funding.Fundings;
import io.solidus.protocol.MintApproval;
import io.solidus.protocol.MintId;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TxCore;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * From a request to two approvals. A request reserves its value from the funding; a coin counts as
 * issued once two persons, neither of whom recorded the money, have signed it. What they sign is
 * checked by every validator again, so this desk alone issues nothing.
 */
@Service
class Mints {
  private static final int MAX_REASON_CHARS = 500;

  private final NetworkId network;
  private final MintStore store;
  private final Fundings fundings;
  private final Approvers approvers;
  private final EvidenceCheck check;
  private final Ledger ledger;
  private final OperatorAuditLog record;
  private final MintMetrics metrics;
  private final TransactionTemplate transaction;
  private final Clock clock;

  Mints(
      NetworkId network,
      MintStore store,
      Fundings fundings,
      Approvers approvers,
      EvidenceCheck check,
      Ledger ledger,
      OperatorAuditLog record,
      MintMetrics metrics,
      TransactionTemplate transaction,
      Clock clock) {
    this.network = network;
    this.store = store;
    this.fundings = fundings;
    this.approvers = approvers;
    this.check = check;
    this.ledger = ledger;
    this.record = record;
    this.metrics = metrics;
    this.transaction = transaction;
    this.clock = clock;
  }

  TxCore core(MintRequest request) {
    return request.statement().core(network);
  }

  /** Takes a request; the same again changes nothing. */
  Mint request(String fundingId, String accessToken, MintRequest request) {
    Funding funding = fundings.open(fundingId, accessToken);
    if (request.statement().value().isZero()) {
      throw ProtocolException.malformed("a mint has a positive value");
    }
    MintId id = request.statement().mintId();
    return store
        .find(id)
        .map(known -> requireSame(known, fundingId, request))
        .orElseGet(() -> {
          Fundings.requireCovers(funding, request.statement().value());
          check.requireMint(request);
          return transaction.execute(status -> reserve(funding, request));
        });
  }

  private Mint reserve(Funding funding, MintRequest request) {
    MintId id = request.statement().mintId();
    if (!store.insert(
        request, core(request), funding.fundingId(), funding.recordedBy(), clock.instant())) {
      return requireSame(load(id), funding.fundingId(), request);
    }
    fundings.reserve(funding, request.statement().value());
    metrics.count("requested");
    return load(id);
  }

  Mint load(MintId id) {
    return store.find(id).orElseThrow(Mints::notFound);
  }

  List<Mint> page(@Nullable MintStatus status, long cursor, int limit) {
    return store.page(status, cursor, limit);
  }

  /**
   * Adds an approval; the same approver again changes nothing.
   *
   * @param subject who calls
   * @throws ProtocolException forbidden for who does not own the key or recorded the funding,
   *     approval-invalid, mint-conflict
   */
  Mint approve(MintId id, MintApproval approval, String subject) {
    Approver approver = approvers.require(approval.approver(), subject);
    Mint mint = load(id);
    if (mint.recordedBy().equals(subject)) {
      throw new ProtocolException(
          RejectionCode.FORBIDDEN, "who recorded the funding does not approve its mints");
    }
    if (!approval.isBy(approver.key(), network, mint.statement())) {
      throw new ProtocolException(
          RejectionCode.APPROVAL_INVALID, "the signature is not this approver's over this mint");
    }
    return transaction.execute(status -> approve(lock(id), approval, subject, approver));
  }

  private Mint approve(Mint mint, MintApproval approval, String subject, Approver approver) {
    if (mint.isApprovedBy(approver.name())) {
      return mint;
    }
    requireUndecided(mint);
    store.approve(mint, approval, subject, clock.instant());
    record.add(subject, "mint approved", mint.id().hex());
    if (mint.approvals().size() + 1 == Approvers.NEEDED) {
      store.decide(mint.id(), MintStatus.APPROVED, null, clock.instant());
      ledger.issued(mint.id(), mint.statement().value());
      metrics.count("approved");
    }
    return load(mint.id());
  }

  /**
   * Refuses a mint for good and frees its value. Approvals leave this desk together or not at all,
   * so a single one is worth nothing.
   */
  Mint refuse(MintId id, String reason, String subject) {
    if (reason.isBlank() || reason.length() > MAX_REASON_CHARS) {
      throw ProtocolException.malformed("a reason has 1 to " + MAX_REASON_CHARS + " characters");
    }
    return transaction.execute(status -> {
      Mint mint = lock(id);
      requireUndecided(mint);
      store.decide(id, MintStatus.REFUSED, reason, clock.instant());
      fundings.free(mint.fundingId(), mint.statement().value());
      record.add(subject, "mint refused", id.hex());
      metrics.count("refused");
      return load(id);
    });
  }

  private Mint lock(MintId id) {
    if (!store.lock(id)) {
      throw notFound();
    }
    // a statement of its own: only now are the approvals seen of who held the lock before
    return load(id);
  }

  private Mint requireSame(Mint known, String fundingId, MintRequest request) {
    if (!known.core().equals(core(request)) || !known.fundingId().equals(fundingId)) {
      throw new ProtocolException(
          RejectionCode.MINT_CONFLICT, "this mint id was used for another mint");
    }
    return known;
  }

  private static void requireUndecided(Mint mint) {
    if (mint.status() != MintStatus.AWAITING_APPROVAL) {
      throw new ProtocolException(RejectionCode.MINT_CONFLICT, "the mint was decided before");
    }
  }

  private static ProtocolException notFound() {
    return new ProtocolException(RejectionCode.NOT_FOUND, "no such mint");
  }
}
