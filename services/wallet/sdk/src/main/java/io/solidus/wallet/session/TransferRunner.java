package io.solidus.wallet.session;

import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Family;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Signature;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.SignedReply;
import io.solidus.wallet.model.Memo;
import io.solidus.wallet.model.OwnedCoin;
import io.solidus.wallet.model.PaymentOrder;
import io.solidus.wallet.model.SignedComplianceCoin;
import io.solidus.wallet.model.SpentInput;
import io.solidus.wallet.model.TransferRecord;
import io.solidus.wallet.model.WalletState;
import io.solidus.wallet.transfer.EvidenceMaker;
import io.solidus.wallet.transfer.FinishedTransfer;
import io.solidus.wallet.transfer.LimitRules;
import io.solidus.wallet.transfer.TransferDraft;
import io.solidus.wallet.transfer.TransferIntent;
import io.solidus.wallet.trust.Rules;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs transfers from the draft to the signed outputs. The complete request is on disk before it is
 * sent. From then on its core is final, and only its evidence is renewed.
 */
@Spec("W-03")
public final class TransferRunner {
  private final WalletSession session;
  private final TransferSender sender;
  private final TransferAbandonment abandonment;

  public TransferRunner(WalletSession session) {
    this.session = session;
    this.sender = new TransferSender(session);
    this.abandonment = new TransferAbandonment(session);
  }

  /**
   * Makes a transfer from the current compliance coin, stores it and sends it.
   *
   * @param paymentId the application's name of the payment; null for none
   */
  public FinishedTransfer run(TransferIntent intent, @Nullable String paymentId, Rules rules) {
    WalletState state = session.store().state();
    if (state.pending() != null) {
      throw new WalletException(
          WalletError.TRANSFER_IN_FLIGHT, "an earlier transfer has to be finished first");
    }
    SignedComplianceCoin spent = state.requireCompliance();
    TransferRequest request = prepare(intent, spent, state.unfinishedTransfers(), rules);
    sender.store(intent, request, paymentId);
    return finish();
  }

  /** The complete request of an intent; nothing is stored or sent. */
  public TransferRequest prepare(
      TransferIntent intent, SignedComplianceCoin spent, int unfinished, Rules rules) {
    LimitRules.requireWithinLimits(
        spent.coin(), rules.policy(), rules.policy().period(), intent.amounts());
    Memo memo = sender.memo(intent, session.factory().serial(spent.coin().rho()), unfinished);
    List<Signature> inputSignatures = intent.inputs().stream().map(OwnedCoin::signature).toList();
    try (TransferDraft draft =
        session
            .factory()
            .draft(spent.coin(), memo, rules.policy().period(), intent.payoutBlock())) {
      session.options().progress().at(Progress.Step.PROVING);
      return session
          .evidence()
          .request(draft, spent.signature(), inputSignatures, rules, List.of());
    }
  }

  /**
   * Sends the stored transfer until it is signed. Renews its evidence when the rules have changed.
   * Gives the transfer up when the rules no longer admit it and no validator holds it.
   *
   * @throws ProtocolException the validators' refusal; the transfer stays stored unless it was
   *     given up
   * @throws WalletException {@code transfer-in-flight} when the outcome is not known, or the
   *     transfer can neither be finished nor given up; it stays stored
   */
  @Spec("V-12")
  public FinishedTransfer finish() {
    WalletState state = session.store().state();
    TransferRequest request = state.pending();
    if (request == null) {
      throw new WalletException(WalletError.INTERNAL, "no transfer is in flight");
    }
    ComplianceCoin spent = state.requireCompliance().coin();
    try (TransferDraft draft = reopen(spent, request)) {
      return send(draft, request);
    } catch (UnfinishableTransferException e) {
      throw abandonment.resolve(e.draft(), e.reason());
    }
  }

  /**
   * Finishes a transfer that authorities hold, in place of the stored one.
   *
   * @param shown requests of one core of this wallet from its compliance coin; each is sent once
   * @throws ProtocolException as {@link #finish()}
   */
  FinishedTransfer finish(List<TransferRequest> shown) {
    sender.choose(shown);
    return finish();
  }

  private FinishedTransfer send(TransferDraft draft, TransferRequest first) {
    TransferSender.Renewal renewal =
        new TransferSender.Renewal() {
          @Override
          public TransferRequest proveAgain() {
            return TransferRunner.this.proveAgain(draft, List.of(), session.rules().newest());
          }

          @Override
          public TransferRequest after(TransferRequest sent, ProtocolException refusal) {
            return afterRefusal(draft, sent, refusal);
          }
        };
    return sender.send(first, renewal, (request, reply) -> commit(draft, request, reply));
  }

  /** The request to send next; throws the refusal when sending again cannot help. */
  private TransferRequest afterRefusal(
      TransferDraft draft, TransferRequest request, ProtocolException refusal) {
    return switch (refusal.code()) {
      case STALE_POLICY, UNKNOWN_POLICY, STALE_CHECKPOINT, UNKNOWN_CHECKPOINT ->
          renewed(draft, request);
      case STALE_PERIOD -> inLaterPeriod(draft, request, refusal);
      default -> TransferSender.unlessFinal(request, refusal);
    };
  }

  /** Periods only increase, so a period before that of the countersigned policy stays refused. */
  private TransferRequest inLaterPeriod(
      TransferDraft draft, TransferRequest request, ProtocolException refusal) {
    Rules rules = session.rules().newest();
    if (rules.policy().version() == request.evidence().policyVersion()
        && rules.policy().period().compareTo(draft.statement().period()) > 0) {
      throw new UnfinishableTransferException(draft, refusal);
    }
    return renewed(draft, request, rules);
  }

  private TransferRequest renewed(TransferDraft draft, TransferRequest request) {
    return renewed(draft, request, session.rules().newest());
  }

  /**
   * The same core with evidence under the newest rules; the same request when the rules have not
   * changed.
   */
  private TransferRequest renewed(TransferDraft draft, TransferRequest request, Rules rules) {
    if (rules.policy().version() == request.evidence().policyVersion()
        && rules.checkpoint().version() == request.evidence().checkpointVersion()) {
      return request;
    }
    return proveAgain(draft, request.certificate(), rules);
  }

  /** The same core with new evidence, stored in place of the old request. */
  private TransferRequest proveAgain(
      TransferDraft draft, List<PartialSignature> certificate, Rules rules) {
    requireProvable(draft, rules);
    session.options().progress().at(Progress.Step.RENEWING);
    WalletState state = session.store().state();
    TransferRequest renewed =
        session
            .evidence()
            .request(
                draft,
                state.requireCompliance().signature(),
                inputSignatures(state, draft.memo()),
                rules,
                certificate);
    session.store().update(edit -> edit.send(renewed));
    return renewed;
  }

  /**
   * Requires that the rules admit a proof of this core.
   *
   * @throws UnfinishableTransferException when they do not
   */
  private static void requireProvable(TransferDraft draft, Rules rules) {
    ComplianceCoin spent = draft.plan().cc();
    try {
      LimitRules.requireWithinLimits(
          spent,
          rules.policy(),
          draft.statement().period(),
          draft.memo().payees().stream().map(PaymentOrder::amount).toList());
      LimitRules.requireMayHold(spent, rules.policy(), draft.prepared().next().held());
      EvidenceMaker.path(rules.tree(), spent.owner());
      draft
          .plan()
          .payments()
          .forEach(payment -> EvidenceMaker.path(rules.tree(), payment.recipient()));
    } catch (ProtocolException e) {
      throw new UnfinishableTransferException(draft, e);
    }
  }

  /**
   * Verifies the signatures, then stores the successor coin, the record, and the pending delivery
   * and payout, in one write.
   */
  FinishedTransfer commit(TransferDraft draft, TransferRequest request, SignedReply reply) {
    TransferRecord record = draft.record(session.network());
    List<Signature> signatures = session.collector().collect(record.core(), draft.outputs(), reply);
    Memo memo = draft.memo();
    session
        .store()
        .update(edit -> {
          edit.compliance =
              new SignedComplianceCoin(draft.prepared().next(), signatures.get(Family.NEXT_OUTPUT));
          edit.pending = null;
          edit.finish(record);
          sender.addWork(
              edit,
              memo,
              draft.prepared().coins(),
              signatures,
              draft.outputs().outputs(),
              request,
              reply);
        });
    return new FinishedTransfer(
        record.core(), record.lead(), memo, TransferSender.authorities(reply));
  }

  private TransferDraft reopen(ComplianceCoin spent, TransferRequest request) {
    return session
        .factory()
        .reopen(spent, request)
        .orElseThrow(() ->
            new WalletException(
                WalletError.INTERNAL,
                "the stored transfer does not spend the stored compliance coin"));
  }

  static List<Signature> inputSignatures(WalletState state, Memo memo) {
    return memo.inputs().stream().map(input -> inputSignature(state, input)).toList();
  }

  private static Signature inputSignature(WalletState state, SpentInput input) {
    return state.coins().stream()
        .filter(coin -> coin.rho().equals(input.rho()))
        .map(OwnedCoin::signature)
        .findFirst()
        .orElseThrow(() ->
            new ProtocolException(
                RejectionCode.NOT_FOUND,
                "a coin that the transfer in flight spends is not in this wallet"));
  }
}
