package io.solidus.operator.issuance.mint;

import io.solidus.operator.issuance.books.Expiry;
import io.solidus.operator.issuance.books.Ledger;
import io.solidus.operator.issuance.books.OperatorAuditLog;
import io.solidus.operator.issuance.books.Reason;
import io.solidus.operator.issuance.evidence.EvidenceCheck;
import io.solidus.operator.issuance.evidence.PublishedRulesClient;
import io.solidus.operator.issuance.funding.Funding;
import io.solidus.operator.issuance.funding.Fundings;
import io.solidus.operator.issuance.funding.PayerScreening;
import io.solidus.platform.bank.BankScope;
import io.solidus.platform.security.Operator;
import io.solidus.protocol.Amount;
import io.solidus.protocol.MintApproval;
import io.solidus.protocol.MintId;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TxCore;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Handles mints from the request to two approvals. A request reserves its value from the funding. A
 * coin counts as issued when two approvers have signed it. The operator who recorded the funding
 * cannot approve it. Every validator verifies the two signatures again, so the service alone cannot
 * issue a coin.
 */
@Service
class Mints {
  private final NetworkId network;
  private final MintStore store;
  private final Fundings fundings;
  private final PayerScreening payers;
  private final Approvers approvers;
  private final EvidenceCheck check;
  private final PublishedRulesClient rules;
  private final Ledger ledger;
  private final Expiry expiry;
  private final OperatorAuditLog audit;
  private final MintMetrics metrics;
  private final TransactionTemplate transaction;
  private final Clock clock;

  Mints(
      NetworkId network,
      MintStore store,
      Fundings fundings,
      PayerScreening payers,
      Approvers approvers,
      EvidenceCheck check,
      PublishedRulesClient rules,
      Ledger ledger,
      Expiry expiry,
      OperatorAuditLog audit,
      MintMetrics metrics,
      TransactionTemplate transaction,
      Clock clock) {
    this.network = network;
    this.store = store;
    this.fundings = fundings;
    this.payers = payers;
    this.approvers = approvers;
    this.check = check;
    this.rules = rules;
    this.ledger = ledger;
    this.expiry = expiry;
    this.audit = audit;
    this.metrics = metrics;
    this.transaction = transaction;
    this.clock = clock;
  }

  TxCore core(MintRequest request) {
    return request.statement().core(network);
  }

  /** Accepts a mint request; a repeated request changes nothing. */
  Mint request(String fundingId, String accessToken, MintRequest request) {
    Funding funding = fundings.open(fundingId, accessToken);
    if (request.statement().value().isZero()) {
      throw ProtocolException.malformed("a mint's value must be positive");
    }
    MintId id = request.statement().mintId();
    return store
        .find(id)
        .map(existing -> requireSame(existing, fundingId, request))
        .orElseGet(() -> {
          Fundings.requireCovers(funding, request.statement().value());
          requireWithinCap(request.statement().value());
          check.requireMint(request);
          return inTransaction(() -> reserve(funding, request));
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

  List<Mint> page(BankScope scope, @Nullable MintStatus status, long cursor, int limit) {
    return store.page(scope, status, cursor, limit);
  }

  /**
   * Adds an approval; a repeated approval by the same approver changes nothing.
   *
   * @param subject the caller
   * @throws ProtocolException forbidden when the caller does not own the approver's key or recorded
   *     the funding, approval-invalid, mint-conflict, mint-cap-exceeded
   */
  Mint approve(MintId id, MintApproval approval, String subject) {
    Approver approver = approvers.require(approval.approver(), subject);
    Mint mint = load(id);
    if (Operator.samePerson(mint.recordedBy(), subject)) {
      throw new ProtocolException(
          RejectionCode.FORBIDDEN,
          "the operator who recorded the funding must not approve its mints");
    }
    if (!approval.isBy(approver.key(), network, mint.statement())) {
      throw new ProtocolException(
          RejectionCode.APPROVAL_INVALID,
          "the signature is not a signature of this approver over this mint");
    }
    if (mint.status() == MintStatus.AWAITING_APPROVAL) {
      requireWithinCap(mint.statement().value());
      expiry.require(mint.requestedAt());
      payers.requirePasses(mint.fundingId());
    }
    return inTransaction(() -> approve(lock(id), approval, subject, approver));
  }

  /**
   * Requires that the validators can sign a mint of this value: an approved mint is final, and its
   * money is booked as issued.
   *
   * @throws ProtocolException mint-cap-exceeded, or unavailable when the policy is not known
   */
  private void requireWithinCap(Amount value) {
    if (value.compareTo(rules.inForce().mintCapPerDay()) > 0) {
      throw new ProtocolException(
          RejectionCode.MINT_CAP_EXCEEDED, "the value exceeds what may be minted on one day");
    }
  }

  private Mint approve(Mint mint, MintApproval approval, String subject, Approver approver) {
    if (mint.isApprovedBy(approver.name())) {
      return mint;
    }
    requireUndecided(mint);
    store.approve(mint, approval, subject, clock.instant());
    audit.add(subject, "mint approved", mint.id().hex());
    if (mint.approvals().size() + 1 == Approvers.NEEDED) {
      store.decide(mint.id(), MintStatus.APPROVED, null, clock.instant());
      ledger.issued(mint.id(), mint.statement().value());
      metrics.count("approved");
    }
    return load(mint.id());
  }

  /**
   * Refuses a mint finally and frees its value. The service publishes both approvals together, so
   * an approval made before the refusal cannot be used.
   */
  Mint refuse(MintId id, String reason, String subject) {
    Reason.require(reason);
    return inTransaction(() -> {
      Mint mint = lock(id);
      requireUndecided(mint);
      store.decide(id, MintStatus.REFUSED, reason, clock.instant());
      fundings.free(mint.fundingId(), mint.statement().value());
      audit.add(subject, "mint refused", id.hex());
      metrics.count("refused");
      return load(id);
    });
  }

  private Mint inTransaction(Supplier<Mint> work) {
    return Objects.requireNonNull(transaction.execute(status -> work.get()));
  }

  private Mint lock(MintId id) {
    if (!store.lock(id)) {
      throw notFound();
    }
    // a second statement, because only after the lock are the previous holder's approvals visible
    return load(id);
  }

  private Mint requireSame(Mint existing, String fundingId, MintRequest request) {
    if (!existing.core().equals(core(request)) || !existing.fundingId().equals(fundingId)) {
      throw new ProtocolException(
          RejectionCode.MINT_CONFLICT, "this mint id was used for another mint");
    }
    return existing;
  }

  private static void requireUndecided(Mint mint) {
    if (mint.status() != MintStatus.AWAITING_APPROVAL) {
      throw new ProtocolException(RejectionCode.MINT_CONFLICT, "the mint is already decided");
    }
  }

  private static ProtocolException notFound() {
    return new ProtocolException(RejectionCode.NOT_FOUND, "no such mint");
  }
}
