package io.solidus.operator.issuance.redemption;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.operator.issuance.books.Ledger;
import io.solidus.operator.issuance.books.OperatorAuditLog;
import io.solidus.operator.issuance.evidence.EvidenceCheck;
import io.solidus.operator.issuance.evidence.LimitsAndRoot;
import io.solidus.operator.issuance.evidence.PublishedRulesClient;
import io.solidus.operator.issuance.vault.RedemptionKeys;
import io.solidus.platform.bank.BankScope;
import io.solidus.platform.bank.Banks;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Accepts withdrawals for payout, once per lead serial number. The evidence is the transfer as the
 * validators received it and the votes of 2f+1 of them for its core, which contains the withdrawn
 * amount.
 */
@Service
class Redemptions {
  private static final Logger log = LoggerFactory.getLogger(Redemptions.class);

  private final NetworkId network;
  private final RedemptionStore store;
  private final EvidenceCheck check;
  private final PublishedRulesClient rules;
  private final Banks banks;
  private final RedemptionKeys keys;
  private final PayeeBanks payees;
  private final Ledger ledger;
  private final OperatorAuditLog audit;
  private final TransactionTemplate transaction;
  private final Clock clock;
  private final Counter accepted;
  private final Counter conflicts;

  Redemptions(
      NetworkId network,
      RedemptionStore store,
      EvidenceCheck check,
      PublishedRulesClient rules,
      Banks banks,
      RedemptionKeys keys,
      PayeeBanks payees,
      Ledger ledger,
      OperatorAuditLog audit,
      TransactionTemplate transaction,
      Clock clock,
      MeterRegistry registry) {
    this.network = network;
    this.store = store;
    this.check = check;
    this.rules = rules;
    this.banks = banks;
    this.keys = keys;
    this.payees = payees;
    this.ledger = ledger;
    this.audit = audit;
    this.transaction = transaction;
    this.clock = clock;
    this.accepted = Counter.builder("solidus.issuance.redemptions.count").register(registry);
    this.conflicts =
        Counter.builder("solidus.issuance.redemptions.conflicts")
            .description(
                "two withdrawals of one compliance coin, both signed by a quorum: the committee is broken")
            .register(registry);
  }

  TxCore core(TransferRequest request) {
    return request.statement().core(network);
  }

  /**
   * Checks the evidence and books the payout. A repeated withdrawal gets the same answer.
   *
   * @throws ProtocolException with the code of the first rule that fails
   */
  Redemption accept(TransferRequest request, List<PartialSignature> partials) {
    requireWithdrawal(request);
    TxCore core = core(request);
    return store
        .find(request.statement().leadSerial())
        .filter(existing -> existing.core().equals(core))
        .orElseGet(() -> checkAndBook(request, core, partials));
  }

  Redemption load(SerialNumber lead) {
    return store
        .find(lead)
        .orElseThrow(() ->
            new ProtocolException(
                RejectionCode.NOT_FOUND, "there is no payout for this serial number"));
  }

  /** Returns a page of payouts and records that the operator viewed it. */
  List<Redemption> page(
      BankScope scope,
      @Nullable PayoutState state,
      boolean held,
      long cursor,
      int limit,
      String operator) {
    List<Redemption> page = store.page(scope, state, held, cursor, limit);
    audit.add(operator, "payouts viewed", "after " + cursor + ", " + page.size());
    return page;
  }

  /** The decrypted instruction of a payout, with the payee that two persons corrected. */
  Payout payout(Redemption redemption) {
    Payout instruction = open(redemption.sealedPayout());
    byte[] correction = redemption.correction();
    return correction == null
        ? instruction
        : Payout.parse(keys.openRecord(correction)).withReference(instruction.reference());
  }

  private void requireWithdrawal(TransferRequest request) {
    TransferStatement statement = request.statement();
    check.families().require(statement.family());
    // every transfer has a payout block, and only the owner and this desk can tell which is random
    if (statement.withdrawn().isZero()) {
      throw ProtocolException.malformed("the transfer has no withdrawal");
    }
    request.requireContext(network);
  }

  private Redemption checkAndBook(
      TransferRequest request, TxCore core, List<PartialSignature> partials) {
    Payout payee = open(request.attachments().payoutBlock());
    List<PartialSignature> quorum = check.requireQuorum(request.statement(), partials);
    check.requireTransfer(request.statement(), request.evidence(), rulesOf(request.evidence()));
    Redemption booked =
        Objects.requireNonNull(transaction.execute(status -> book(request, core, quorum, payee)));
    if (!booked.core().equals(core)) {
      conflicts.increment();
      log.error(
          "ALARM: two withdrawals of one compliance coin each have a quorum; the second is not paid out");
      throw new ProtocolException(
          RejectionCode.SERIAL_CONFLICT, "another withdrawal of this serial number was paid out");
    }
    return booked;
  }

  private @Nullable LimitsAndRoot rulesOf(Evidence evidence) {
    return check.kind() == NetworkKind.REGULATED
        ? rules.of(evidence.policyVersion(), evidence.checkpointVersion())
        : null;
  }

  private Redemption book(
      TransferRequest request, TxCore core, List<PartialSignature> quorum, Payout payee) {
    TransferStatement statement = request.statement();
    SerialNumber lead = statement.leadSerial();
    // the payee's account says whose customer she is; who paid is nobody's to know
    String bank = banks.ofAccount(payee.account()).orElse(null);
    String id = EndToEndId.of(network, lead);
    if (store.insert(request, core, id, bank, quorum, clock.instant())) {
      ledger.redeemed(lead, statement.withdrawn());
      store.hold(lead, payees.unscreened(payee));
      accepted.increment();
    }
    return load(lead);
  }

  private Payout open(byte[] block) {
    byte[] padded =
        keys.openPayout(block)
            .orElseThrow(
                () -> ProtocolException.malformed("the payout block is not sealed to this issuer"));
    try {
      return Payout.parse(padded);
    } finally {
      Arrays.fill(padded, (byte) 0);
    }
  }
}
