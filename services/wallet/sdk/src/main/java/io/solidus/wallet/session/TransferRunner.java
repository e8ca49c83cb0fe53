package io.solidus.wallet.session;

import io.solidus.protocol.Amount;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.Signature;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.SignedReply;
import io.solidus.wallet.mailbox.Parcel;
import io.solidus.wallet.model.Memo;
import io.solidus.wallet.model.OwnedCoin;
import io.solidus.wallet.model.PaymentId;
import io.solidus.wallet.model.PendingDelivery;
import io.solidus.wallet.model.PendingRedemption;
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
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs transfers from the draft to the signed outputs. The complete request is on disk before it is
 * sent. From then on its core is final, and only its evidence is renewed.
 */
@Spec("W-03")
public final class TransferRunner {
  /**
   * Refusals that new evidence for the same core may resolve. A request from a look-up may have
   * evidence that a lying authority altered.
   */
  static final Set<RejectionCode> EVIDENCE_REFUSALS =
      EnumSet.of(
          RejectionCode.MALFORMED_REQUEST,
          RejectionCode.UNKNOWN_VERSION,
          RejectionCode.IDENTITY_POINT,
          RejectionCode.POINT_NOT_ON_CURVE,
          RejectionCode.POINT_NOT_IN_SUBGROUP,
          RejectionCode.PROOF_INVALID,
          RejectionCode.SIGNATURE_INVALID,
          RejectionCode.SHOWN_SIGNATURE_INVALID);

  private final WalletSession session;
  private final TransferAbandonment abandonment;

  public TransferRunner(WalletSession session) {
    this.session = session;
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
    session
        .store()
        .update(draft -> {
          draft.send(request);
          if (paymentId != null) {
            draft.remember(new PaymentId(paymentId, request.statement().core(session.network())));
          }
        });
    return finish();
  }

  /** The complete request of an intent; nothing is stored or sent. */
  public TransferRequest prepare(
      TransferIntent intent, SignedComplianceCoin spent, int unfinished, Rules rules) {
    LimitRules.requireWithinLimits(
        spent.coin(), rules.policy(), rules.policy().period(), intent.paid());
    Memo memo =
        new Memo(
            session.store().state().freshCounter(session.factory().serial(spent.coin().rho())),
            session.options().clock().millis(),
            intent.paid(),
            intent.recipient(),
            intent.withdrawn(),
            intent.inputs().stream()
                .map(coin -> new SpentInput(coin.origin(), coin.value(), coin.rho()))
                .toList(),
            unfinished,
            intent.reference());
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
   * @param shown requests of one core of this wallet from its compliance coin. They differ in their
   *     evidence. The evidence from a correct authority verifies, a lying authority's may not. So
   *     each request is sent once, and the first one that is signed is used
   * @throws ProtocolException as {@link #finish()}
   */
  FinishedTransfer finish(List<TransferRequest> shown) {
    TransferRequest chosen = shown.size() == 1 ? shown.getFirst() : firstSigned(shown);
    session.store().update(edit -> edit.send(chosen));
    return finish();
  }

  /** The first request that is signed at once; the first of all when none is. */
  private TransferRequest firstSigned(List<TransferRequest> shown) {
    for (TransferRequest request : shown) {
      session.store().update(edit -> edit.send(request));
      try {
        session.gateway().submitTransfer(request.statement().core(session.network()), request);
        return request;
      } catch (ProtocolException e) {
        if (e.code() == RejectionCode.SERIAL_CONFLICT) {
          throw e;
        }
      }
    }
    return shown.getFirst();
  }

  private FinishedTransfer send(TransferDraft draft, TransferRequest first) {
    TxCore core = draft.statement().core(session.network());
    RetryPolicy retries = new RetryPolicy(session.options());
    TransferRequest request = first;
    boolean proofRenewed = false;
    while (true) {
      session.options().progress().at(Progress.Step.SENDING);
      try {
        SignedReply reply = session.gateway().submitTransfer(core, request);
        return commit(draft, request, reply);
      } catch (ProtocolException e) {
        if (!proofRenewed && EVIDENCE_REFUSALS.contains(e.code())) {
          // The evidence came from a look-up; evidence of this wallet is verified before it is
          // sent.
          proofRenewed = true;
          request = proveAgain(draft, List.of(), session.rules().newest());
          continue;
        }
        request = afterRefusal(draft, request, e);
        retries.pause(e);
      } catch (WalletException e) {
        if (e.error() != WalletError.GATEWAY_UNREACHABLE) {
          throw e;
        }
        retries.pause(inFlight(core, e));
      }
    }
  }

  /** The request to send next; throws the refusal when sending again cannot help. */
  private TransferRequest afterRefusal(
      TransferDraft draft, TransferRequest request, ProtocolException refusal) {
    return switch (refusal.code()) {
      case STALE_POLICY, UNKNOWN_POLICY, STALE_CHECKPOINT, UNKNOWN_CHECKPOINT ->
          renewed(draft, request);
      case STALE_PERIOD -> inLaterPeriod(draft, request, refusal);
      default -> {
        if (!refusal.code().retryable()) {
          throw refusal;
        }
        yield request;
      }
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
          spent, rules.policy(), draft.statement().period(), draft.memo().paid());
      LimitRules.requireMayHold(spent, rules.policy(), draft.prepared().next().held());
      EvidenceMaker.path(rules.tree(), spent.owner());
      EvidenceMaker.path(rules.tree(), draft.plan().recipient());
    } catch (ProtocolException e) {
      throw new UnfinishableTransferException(draft, e);
    }
  }

  /**
   * Verifies the signatures, then stores the successor coin, the record, and the pending delivery
   * and payout, in one write.
   */
  private FinishedTransfer commit(TransferDraft draft, TransferRequest request, SignedReply reply) {
    TransferRecord record = draft.record(session.network());
    List<Signature> signatures = session.collector().collect(record.core(), draft.outputs(), reply);
    Memo memo = draft.memo();
    session
        .store()
        .update(edit -> {
          int index = edit.transferCount();
          edit.compliance = new SignedComplianceCoin(draft.prepared().next(), signatures.get(1));
          edit.pending = null;
          edit.finish(record);
          if (!memo.paid().equals(Amount.ZERO)) {
            edit.deliveries.add(delivery(draft, signatures.get(0), index));
          }
          if (!memo.withdrawn().equals(Amount.ZERO)) {
            edit.redemptions.add(new PendingRedemption(index, request, quorum(draft, reply)));
          }
        });
    return new FinishedTransfer(
        record.core(),
        record.lead(),
        memo,
        reply.partials().stream().map(PartialSignature::authority).sorted().toList());
  }

  /**
   * The delivery of the payee's coin. The coin's signature as collected has the base h, which
   * anyone can compute from this transfer's statement. A payee and an authority together could
   * identify the transfer by it. Randomised with a fresh t, the signature fits every transfer.
   */
  private PendingDelivery delivery(TransferDraft draft, Signature signed, int index) {
    Memo memo = draft.memo();
    Signature signature;
    try (Scalar t = session.scalars().next()) {
      signature = session.platform().suite().randomise(signed, t);
    }
    Parcel parcel =
        new Parcel.Payment(
            draft.prepared().recipientCoin().origin(),
            memo.paid(),
            draft.prepared().recipientCoin().rho(),
            signature,
            memo.atMillis(),
            memo.reference());
    return new PendingDelivery(
        index, session.parcels().seal(memo.recipient().encryptionKey(), parcel));
  }

  /** The 2f+1 complete answers that the issuer requires. */
  private List<PartialSignature> quorum(TransferDraft draft, SignedReply reply) {
    return session
        .collector()
        .checked(
            draft.statement().core(session.network()), draft.outputs().outputs(), reply.partials())
        .stream()
        .limit(session.platform().committee().quorum())
        .toList();
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

  private static List<Signature> inputSignatures(WalletState state, Memo memo) {
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
                "a coin that the transfer in flight claims is not in this wallet"));
  }

  private static WalletException inFlight(TxCore core, WalletException cause) {
    return new WalletException(
        WalletError.TRANSFER_IN_FLIGHT,
        "the transfer "
            + core.hex()
            + " was sent and waits for its answer ("
            + cause.getMessage()
            + "); the next command continues with it",
        cause);
  }
}
