package io.solidus.wallet.session;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.BulkLine;
import io.solidus.wallet.model.BulkLines;
import io.solidus.wallet.model.BulkTag;
import io.solidus.wallet.model.OwnedCoin;
import io.solidus.wallet.model.PaymentId;
import io.solidus.wallet.model.PaymentOrder;
import io.solidus.wallet.model.PayoutInstruction;
import io.solidus.wallet.model.SignedComplianceCoin;
import io.solidus.wallet.model.TransferRecord;
import io.solidus.wallet.model.WalletState;
import io.solidus.wallet.request.PaymentRequest;
import io.solidus.wallet.request.RequestToken;
import io.solidus.wallet.transfer.BulkPlanner;
import io.solidus.wallet.transfer.CoinSelection;
import io.solidus.wallet.transfer.EvidenceMaker;
import io.solidus.wallet.transfer.FinishedTransfer;
import io.solidus.wallet.transfer.LimitRules;
import io.solidus.wallet.transfer.PaymentPlan;
import io.solidus.wallet.transfer.PayoutEnvelope;
import io.solidus.wallet.transfer.TransferIntent;
import io.solidus.wallet.trust.Rules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Payments, claims and withdrawals as one or more transfers. */
public final class PaymentService implements Payments {
  private final WalletSession session;
  private final TransferRunner runner;
  private final ComplianceChainWalker chain;

  public PaymentService(WalletSession session, TransferRunner runner, ComplianceChainWalker chain) {
    this.session = session;
    this.runner = runner;
    this.chain = chain;
  }

  @Override
  public Optional<FinishedTransfer> settle() {
    WalletState state = session.store().state();
    if (state.pending() == null) {
      return Optional.empty();
    }
    TxCore core = state.pending().statement().core(session.network());
    chain.requireLookUp();
    try {
      return Optional.of(orCatchUp(core, runner::finish));
    } catch (ProtocolException e) {
      WalletState now = session.store().state();
      if (now.pending() == null && now.gaveUp(core)) {
        return Optional.empty();
      }
      throw now.pending() == null ? e : stillInFlight(core, e);
    }
  }

  @Override
  public List<FinishedTransfer> pay(
      @Nullable String paymentId, Address to, Amount amount, String reference) {
    return pay(paymentId, null, PaymentRequest.of(to), amount, reference);
  }

  @Override
  public List<FinishedTransfer> pay(@Nullable String paymentId, PaymentRequest request) {
    PaymentRequest.Price price = requirePrice(session, request);
    return paymentId == null
        ? pay(request.paymentId(), request.id(), request, price.amount(), request.paymentText())
        : pay(paymentId, null, request, price.amount(), request.paymentText());
  }

  /** The amount of a request in the network's money. */
  static PaymentRequest.Price requirePrice(WalletSession session, PaymentRequest request) {
    PaymentRequest.Price price = request.price();
    if (price == null) {
      throw ProtocolException.malformed("the request names no amount: the payer chooses it");
    }
    CurrencyCode currency = session.store().state().profile().currency();
    if (!price.currency().equals(currency)) {
      throw new WalletException(
          WalletError.NETWORK_MISMATCH,
          "the request is in " + price.currency() + ", the network's money in " + currency);
    }
    return price;
  }

  /**
   * Pays.
   *
   * @param id by which an earlier payment of the request is found that only its memo names; null
   *     for none
   */
  private List<FinishedTransfer> pay(
      @Nullable String paymentId,
      @Nullable RequestToken id,
      PaymentRequest request,
      Amount amount,
      String reference) {
    Address to = request.payee();
    requirePayment(session, to, amount);
    Optional<FinishedTransfer> before = made(session, paymentId, id, to, amount, reference);
    if (before.isPresent()) {
      return List.of(before.get());
    }
    requireNotExpired(session, request);
    Rules rules = rules(to);
    // if only the walk has finished it
    before = made(session, paymentId, id, to, amount, reference);
    if (before.isPresent()) {
      return List.of(before.get());
    }
    PaymentPlan plan = plan(rules, amount, Amount.ZERO);
    TransferIntent intent = TransferIntent.payment(to, amount, plan.inputs(), reference);
    return run(plan, intent, paymentId, rules);
  }

  static void requireNotExpired(WalletSession session, PaymentRequest request) {
    if (request.hasExpired(session.options().clock().instant())) {
      throw new WalletException(
          WalletError.REQUEST_EXPIRED,
          "the request was to be paid before " + request.expiresAt() + ": ask for another one");
    }
  }

  /**
   * The payment of this name, if it was made.
   *
   * @param id by which a payment is found that only its memo names; null for none
   */
  static Optional<FinishedTransfer> made(
      WalletSession session,
      @Nullable String paymentId,
      @Nullable RequestToken id,
      Address to,
      Amount amount,
      String reference) {
    if (paymentId == null) {
      return Optional.empty();
    }
    if (!PaymentId.isValid(paymentId)) {
      throw invalidId();
    }
    WalletState state = session.store().state();
    Optional<TransferRecord> record =
        state.paid(paymentId).or(() -> id == null ? Optional.empty() : state.paid(to.apk(), id));
    record.ifPresent(made -> {
      if (made.memo().payees().stream()
          .noneMatch(paid ->
              paid.to().apk().equals(to.apk())
                  && paid.amount().equals(amount)
                  && paid.reference().equals(reference))) {
        throw new ProtocolException(
            RejectionCode.IDEMPOTENCY_MISMATCH, "another payment was made under this id");
      }
    });
    if (record.isEmpty() && state.burnt(paymentId)) {
      throw new WalletException(
          WalletError.PAYMENT_BURNT,
          "a recover burnt the payment of this id, and its payee may have been paid: ask the payee,"
              + " and pay under another id if nothing came");
    }
    return record.map(PaymentService::finished);
  }

  static ProtocolException invalidId() {
    return ProtocolException.malformed(
        "a payment's id has 1 to 128 characters, of which the first is not U+0000");
  }

  @Override
  public BulkTurn bulkTurn() {
    Rules rules = rules(session.address());
    int payees = session.payees();
    return new BulkTurn() {
      @Override
      public boolean isListed(Apk payee) {
        return EvidenceMaker.isListed(rules.tree(), payee);
      }

      @Override
      public int payees() {
        return payees;
      }

      @Override
      public boolean isDenied() {
        return payees < session.ownPayees();
      }

      @Override
      public int transfers(List<BulkLine> lines) {
        WalletState state = session.store().state();
        return BulkPlanner.transfers(
            state.requireCompliance().coin(),
            rules.policy(),
            state.coins(),
            lines,
            session.claims(),
            payees);
      }

      @Override
      public void pay(BulkTag tag, List<BulkLine> lines) {
        payLines(rules, tag, lines);
      }
    };
  }

  private void payLines(Rules rules, BulkTag tag, List<BulkLine> lines) {
    WalletState state = session.store().state();
    List<PaymentOrder> orders = lines.stream().map(BulkLine::order).toList();
    PaymentPlan plan =
        PaymentPlan.of(
            state.requireCompliance().coin(),
            rules.policy(),
            state.coins(),
            orders.stream().map(PaymentOrder::amount).toList(),
            Amount.ZERO,
            session.claims(),
            orders.size() == 1 ? session.claims() : CoinSelection.Claims.TWO);
    if (plan.claims().isEmpty()) {
      BulkLines numbers = new BulkLines(tag, lines.stream().map(BulkLine::number).toList());
      run(TransferIntent.payments(orders, plan.inputs(), numbers), null, rules);
    } else {
      run(TransferIntent.claim(session.address(), plan.claims().getFirst()), null, rules);
    }
  }

  @Override
  public FinishedTransfer payWithSurplus(
      Address to, Amount amount, String reference, PayoutInstruction payout) {
    requirePayment(session, to, amount);
    return transferWithSurplus(to, amount, reference, payout);
  }

  @Override
  public Optional<FinishedTransfer> claimWithSurplus(PayoutInstruction payout) {
    return session.store().state().coins().isEmpty()
        ? Optional.empty()
        : Optional.of(transferWithSurplus(session.address(), Amount.ZERO, "", payout));
  }

  @Override
  public List<FinishedTransfer> withdraw(Amount amount, PayoutInstruction payout) {
    if (amount.isZero()) {
      throw ProtocolException.malformed("the amount of a withdrawal must be more than zero");
    }
    Rules rules = rules(session.address());
    PaymentPlan plan = plan(rules, Amount.ZERO, amount);
    return run(
        plan,
        TransferIntent.claim(session.address(), plan.inputs()).withPayout(amount, seal(payout)),
        null,
        rules);
  }

  @Override
  public Optional<FinishedTransfer> claim() {
    if (session.store().state().coins().isEmpty()) {
      return Optional.empty();
    }
    Rules rules = rules(session.address());
    WalletState state = session.store().state();
    if (state.coins().isEmpty()) {
      return Optional.empty();
    }
    ComplianceCoin cc = state.requireCompliance().coin();
    LimitRules.requireWithinLimits(cc, rules.policy(), rules.policy().period(), Amount.ZERO);
    List<OwnedCoin> inputs =
        CoinSelection.claim(cc, rules.policy(), state.coins(), session.claims());
    return Optional.of(run(TransferIntent.claim(session.address(), inputs), null, rules));
  }

  /**
   * Requires a payment that can be delivered. Coins are posted at the wallet's own gateway and at
   * no other, so the payee's has to exchange mail with it.
   */
  @Spec("F-75")
  static void requirePayment(WalletSession session, Address to, Amount amount) {
    if (amount.isZero()) {
      throw ProtocolException.malformed("the amount of a payment must be more than zero");
    }
    if (!session.reaches(to.mailbox())) {
      throw new WalletException(
          WalletError.FOREIGN_MAILBOX,
          "the payee looks for coins in the mailbox "
              + to.mailbox()
              + ", which is none of this network's: nothing that this wallet posts gets there");
    }
  }

  private FinishedTransfer transferWithSurplus(
      Address to, Amount amount, String reference, PayoutInstruction payout) {
    Rules rules = rules(to);
    Policy policy = rules.policy();
    WalletState state = session.store().state();
    ComplianceCoin cc = state.requireCompliance().coin();
    LimitRules.requireWithinLimits(cc, policy, policy.period(), amount);
    List<OwnedCoin> inputs =
        CoinSelection.withSurplus(
            state.coins(), session.claims(), amount.minor() - cc.held().minor());
    Amount available = cc.held().plus(OwnedCoin.total(inputs));
    if (available.compareTo(amount) < 0) {
      throw new ProtocolException(
          RejectionCode.INSUFFICIENT_FUNDS,
          "the amount is more than the balance and the coins that one transfer claims");
    }
    Amount rest = available.minus(amount);
    Amount surplus =
        rest.compareTo(policy.maxHeld()) > 0 ? rest.minus(policy.maxHeld()) : Amount.ZERO;
    TransferIntent intent = TransferIntent.payment(to, amount, inputs, reference);
    return run(surplus.isZero() ? intent : intent.withPayout(surplus, seal(payout)), null, rules);
  }

  /**
   * The rules in force. Refuses a payer or payee on the sanction list before any proof is made,
   * then makes sure that the compliance coin is free: what follows is planned on the newest state.
   */
  private Rules rules(Address recipient) {
    return rules(List.of(recipient.apk()));
  }

  private Rules rules(TransferIntent intent) {
    return rules(intent.payees().stream().map(payee -> payee.to().apk()).toList());
  }

  private Rules rules(List<Apk> payees) {
    session.store().state().requireCompliance();
    session.options().progress().at(Progress.Step.FETCHING_RULES);
    session.gatewayInfo();
    Rules rules = session.rules().newest();
    EvidenceMaker.path(rules.tree(), session.factory().apk());
    payees.forEach(payee -> EvidenceMaker.path(rules.tree(), payee));
    chain.requireFree();
    return rules;
  }

  private PaymentPlan plan(Rules rules, Amount paid, Amount withdrawn) {
    WalletState state = session.store().state();
    return PaymentPlan.of(
        state.requireCompliance().coin(),
        rules.policy(),
        state.coins(),
        paid,
        withdrawn,
        session.claims());
  }

  /**
   * Runs the claims of a plan, then its transfer. The first transfer uses the rules of the plan;
   * each later one fetches the rules anew.
   */
  private List<FinishedTransfer> run(
      PaymentPlan plan, TransferIntent last, @Nullable String paymentId, Rules first) {
    List<FinishedTransfer> done = new ArrayList<>();
    for (List<OwnedCoin> claim : plan.claims()) {
      TransferIntent intent = TransferIntent.claim(session.address(), claim);
      done.add(run(intent, null, done.isEmpty() ? first : rules(intent)));
    }
    done.add(run(last, paymentId, done.isEmpty() ? first : rules(last)));
    return done;
  }

  private byte[] seal(PayoutInstruction payout) {
    return PayoutEnvelope.seal(session.services().redemptionKey(), session.network(), payout);
  }

  private FinishedTransfer run(TransferIntent intent, @Nullable String paymentId, Rules rules) {
    return orCatchUp(null, () -> runner.run(intent, paymentId, rules));
  }

  /**
   * Runs the step. On a conflict over the compliance coin, follows the chain and finishes the
   * transfers that are reserved there, also those of another copy of this wallet.
   */
  private FinishedTransfer orCatchUp(@Nullable TxCore known, Supplier<FinishedTransfer> step) {
    try {
      return step.get();
    } catch (ProtocolException e) {
      WalletState state = session.store().state();
      if (e.code() != RejectionCode.SERIAL_CONFLICT || state.pending() == null) {
        throw e;
      }
      TxCore core = known != null ? known : state.pending().statement().core(session.network());
      SignedComplianceCoin compliance = state.requireCompliance();
      if (chain.catchUp(compliance.coin(), compliance.signature()).cores() == 0) {
        throw e;
      }
      if (session.store().state().burnt(core)) {
        throw new WalletException(
            WalletError.PAYMENT_BURNT,
            "a recover of another copy of this wallet burnt the transfer "
                + core.hex()
                + ", and its payee may have been paid; this copy is up to date now",
            e);
      }
      return finished(session.store().state(), core).orElseThrow(() -> overtaken(e));
    }
  }

  static Optional<FinishedTransfer> finished(WalletState state, TxCore core) {
    return state.transfers().stream()
        .filter(record -> record.core().equals(core))
        .findFirst()
        .map(PaymentService::finished);
  }

  private static FinishedTransfer finished(TransferRecord record) {
    return new FinishedTransfer(record.core(), record.lead(), record.memo(), List.of());
  }

  static ProtocolException stillInFlight(TxCore core, ProtocolException cause) {
    return new ProtocolException(
        cause.code(),
        "the earlier transfer "
            + core.hex()
            + " has to be finished first and is refused: "
            + cause.detail(),
        cause);
  }

  static ProtocolException overtaken(ProtocolException cause) {
    return new ProtocolException(
        RejectionCode.SERIAL_CONFLICT,
        "another copy of this wallet made a transfer first; this copy is up to date now, and its"
            + " own transfer was not made",
        cause);
  }
}
