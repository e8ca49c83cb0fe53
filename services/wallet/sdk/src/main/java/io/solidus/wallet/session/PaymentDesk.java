package io.solidus.wallet.session;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.model.OwnedCoin;
import io.solidus.wallet.model.PayoutInstruction;
import io.solidus.wallet.model.SignedComplianceCoin;
import io.solidus.wallet.model.TransferRecord;
import io.solidus.wallet.model.WalletState;
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
import org.jspecify.annotations.Nullable;

/**
 * What an owner asks for, as transfers: payments, claims and withdrawals, with the claims that have
 * to come first.
 */
public final class PaymentDesk {
  private final WalletSession session;
  private final TransferRunner runner;
  private final ChainWalker chain;

  public PaymentDesk(WalletSession session, TransferRunner runner, ChainWalker chain) {
    this.session = session;
    this.runner = runner;
    this.chain = chain;
  }

  /**
   * Finishes what is in flight, or catches up when another copy of this wallet was faster. Empty
   * when nothing is in flight any more, also because it was given up.
   *
   * @throws ProtocolException or a wallet exception that says which transfer waits, and for what
   */
  public Optional<FinishedTransfer> settle() {
    WalletState state = session.store().state();
    if (state.pending() == null) {
      return Optional.empty();
    }
    TxCore core = state.pending().statement().core(session.network());
    try {
      return Optional.of(orCaughtUp(core, runner::finish));
    } catch (ProtocolException e) {
      WalletState now = session.store().state();
      if (now.abandoned().stream().anyMatch(transfer -> transfer.core().equals(core))) {
        return Optional.empty();
      }
      throw now.pending() == null ? e : stillWaiting(core, e);
    }
  }

  /** Every transfer made, the payment last. */
  public List<FinishedTransfer> pay(Address to, Amount amount, String reference) {
    if (amount.isZero()) {
      throw ProtocolException.malformed("a payment is more than zero");
    }
    Rules rules = rules(to);
    PaymentPlan plan = plan(rules, amount, Amount.ZERO);
    return run(plan, TransferIntent.payment(to, amount, plan.inputs(), reference), rules);
  }

  /**
   * As {@link #pay}, claiming two coins whatever the holding limit: what would be above it is paid
   * out in the same proof.
   */
  public FinishedTransfer payWithSurplus(
      Address to, Amount amount, String reference, PayoutInstruction payout) {
    if (amount.isZero()) {
      throw ProtocolException.malformed("a payment is more than zero");
    }
    return waterfall(to, amount, reference, payout);
  }

  /** Claims two coins whatever the holding limit, and pays out what would be above it. */
  public Optional<FinishedTransfer> claimWithSurplus(PayoutInstruction payout) {
    return session.store().state().coins().isEmpty()
        ? Optional.empty()
        : Optional.of(waterfall(session.address(), Amount.ZERO, "", payout));
  }

  public List<FinishedTransfer> withdraw(Amount amount, PayoutInstruction payout) {
    if (amount.isZero()) {
      throw ProtocolException.malformed("a withdrawal is more than zero");
    }
    Rules rules = rules(session.address());
    PaymentPlan plan = plan(rules, Amount.ZERO, amount);
    return run(
        plan,
        TransferIntent.claim(session.address(), plan.inputs()).withPayout(amount, seal(payout)),
        rules);
  }

  /** Claims up to two received coins; empty when there is none. */
  public Optional<FinishedTransfer> claim() {
    WalletState state = session.store().state();
    if (state.coins().isEmpty()) {
      return Optional.empty();
    }
    Rules rules = rules(session.address());
    ComplianceCoin cc = TransferRunner.compliance(state).coin();
    LimitRules.requireWithinLimits(cc, rules.policy(), rules.policy().period(), Amount.ZERO);
    List<OwnedCoin> inputs = CoinSelection.claim(cc, rules.policy(), state.coins());
    return Optional.of(run(TransferIntent.claim(session.address(), inputs), rules));
  }

  private FinishedTransfer waterfall(
      Address to, Amount amount, String reference, PayoutInstruction payout) {
    Rules rules = rules(to);
    Policy policy = rules.policy();
    WalletState state = session.store().state();
    ComplianceCoin cc = TransferRunner.compliance(state).coin();
    LimitRules.requireWithinLimits(cc, policy, policy.period(), amount);
    List<OwnedCoin> inputs = CoinSelection.largest(state.coins());
    Amount available = inputs.stream().map(OwnedCoin::value).reduce(cc.held(), Amount::plus);
    if (available.compareTo(amount) < 0) {
      throw new ProtocolException(
          RejectionCode.INSUFFICIENT_FUNDS,
          "the balance and two received coins are less than the amount");
    }
    Amount rest = available.minus(amount);
    Amount surplus =
        rest.compareTo(policy.maxHeld()) > 0 ? rest.minus(policy.maxHeld()) : Amount.ZERO;
    TransferIntent intent = TransferIntent.payment(to, amount, inputs, reference);
    return run(surplus.isZero() ? intent : intent.withPayout(surplus, seal(payout)), rules);
  }

  private Rules rules(Address recipient) {
    TransferRunner.compliance(session.store().state());
    session.options().progress().at(Progress.Step.FETCHING_RULES);
    session.gatewayInfo();
    Rules rules = session.rules().newest();
    EvidenceMaker.path(rules.tree(), session.factory().apk());
    EvidenceMaker.path(rules.tree(), recipient.apk());
    return rules;
  }

  private PaymentPlan plan(Rules rules, Amount paid, Amount withdrawn) {
    WalletState state = session.store().state();
    return PaymentPlan.of(
        TransferRunner.compliance(state).coin(), rules.policy(), state.coins(), paid, withdrawn);
  }

  /**
   * The claims of a plan, then its transfer. Each takes the rules of its own moment; the first
   * those it was planned with.
   */
  private List<FinishedTransfer> run(PaymentPlan plan, TransferIntent last, Rules first) {
    List<TransferIntent> intents = new ArrayList<>();
    plan.claims().forEach(claim -> intents.add(TransferIntent.claim(session.address(), claim)));
    intents.add(last);
    List<FinishedTransfer> done = new ArrayList<>();
    for (TransferIntent intent : intents) {
      done.add(run(intent, done.isEmpty() ? first : rules(intent.recipient())));
    }
    return done;
  }

  private byte[] seal(PayoutInstruction payout) {
    return PayoutEnvelope.seal(session.services().redemptionKey(), session.network(), payout);
  }

  private FinishedTransfer run(TransferIntent intent, Rules rules) {
    return orCaughtUp(null, () -> runner.run(intent, rules));
  }

  private interface Step {
    FinishedTransfer take();
  }

  /**
   * On a conflict over the compliance coin, follows the chain: what is reserved there is finished,
   * whoever sent it.
   */
  private FinishedTransfer orCaughtUp(@Nullable TxCore known, Step step) {
    try {
      return step.take();
    } catch (ProtocolException e) {
      WalletState state = session.store().state();
      if (e.code() != RejectionCode.SERIAL_CONFLICT || state.pending() == null) {
        throw e;
      }
      TxCore core = known != null ? known : state.pending().statement().core(session.network());
      SignedComplianceCoin compliance = TransferRunner.compliance(state);
      if (chain.catchUp(compliance.coin(), compliance.signature()).transfers() == 0) {
        throw e;
      }
      return finished(core).orElseThrow(() -> overtaken(e));
    }
  }

  private Optional<FinishedTransfer> finished(TxCore core) {
    return session.store().state().transfers().stream()
        .filter(record -> record.core().equals(core))
        .findFirst()
        .map(PaymentDesk::finished);
  }

  private static FinishedTransfer finished(TransferRecord record) {
    return new FinishedTransfer(record.core(), record.lead(), record.memo(), List.of());
  }

  private static ProtocolException stillWaiting(TxCore core, ProtocolException cause) {
    return new ProtocolException(
        cause.code(),
        "the earlier transfer "
            + core.hex()
            + " has to be finished first and is refused: "
            + cause.detail(),
        cause);
  }

  private static ProtocolException overtaken(ProtocolException cause) {
    return new ProtocolException(
        RejectionCode.SERIAL_CONFLICT,
        "another copy of this wallet made a transfer first; this one has caught up with it, and nothing of its own transfer happened",
        cause);
  }
}
