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

/**
 * Starts transfers and brings them to their end. The whole request is on disk before its first byte
 * leaves; from then on its core is final, and only its evidence is ever renewed.
 */
@Spec("W-03")
public final class TransferRunner {
  /**
   * Refusals that other evidence for the same core may not meet. A request out of a look-up may
   * have a liar's evidence.
   */
  private static final Set<RejectionCode> OF_THE_EVIDENCE =
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
  private final Abandonment abandonment;

  public TransferRunner(WalletSession session) {
    this.session = session;
    this.abandonment = new Abandonment(session);
  }

  /** Makes a transfer out of the current compliance coin, stores it and sends it. */
  public FinishedTransfer run(TransferIntent intent, Rules rules) {
    WalletState state = session.store().state();
    if (state.pending() != null) {
      throw new WalletException(
          WalletError.TRANSFER_IN_FLIGHT, "an earlier transfer has to be finished first");
    }
    SignedComplianceCoin spent = compliance(state);
    TransferRequest request = prepare(intent, spent, state.unfinishedTransfers(), rules);
    session.store().update(draft -> draft.pending = request);
    return finish();
  }

  /** The whole request of an intent; nothing is stored or sent. */
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
            intent.inputs().stream().map(coin -> new SpentInput(coin.value(), coin.rho())).toList(),
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
   * Sends the stored transfer until it is signed, renewing its evidence when the rules have moved
   * on, and gives it up when they moved so far that no validator will take it and none holds it.
   *
   * @throws ProtocolException what the validators refuse it for; it stays stored unless it was
   *     given up
   * @throws WalletException {@code transfer-in-flight} when the answer is not known yet, or it
   *     cannot be finished and cannot be given up; it stays stored
   */
  @Spec("V-12")
  public FinishedTransfer finish() {
    WalletState state = session.store().state();
    TransferRequest request = state.pending();
    if (request == null) {
      throw new WalletException(WalletError.INTERNAL, "no transfer is in flight");
    }
    ComplianceCoin spent = compliance(state).coin();
    try (TransferDraft draft = reopen(spent, request)) {
      return send(draft, request);
    } catch (Unfinishable e) {
      throw abandonment.resolve(e.draft(), e.reason());
    }
  }

  /**
   * Finishes a transfer that authorities hold, in place of the one stored.
   *
   * @param shown requests of one core of this wallet out of its compliance coin. They differ in
   *     their evidence, of which a correct authority's verifies and a liar's may not; so each is
   *     sent once, and the first that is signed is the one
   * @throws ProtocolException as {@link #finish()}
   */
  FinishedTransfer finish(List<TransferRequest> shown) {
    TransferRequest chosen = shown.size() == 1 ? shown.getFirst() : firstSigned(shown);
    session.store().update(edit -> edit.pending = chosen);
    return finish();
  }

  /** The first of them when none is signed at once. */
  private TransferRequest firstSigned(List<TransferRequest> shown) {
    for (TransferRequest request : shown) {
      session.store().update(edit -> edit.pending = request);
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
    Patience patience = new Patience(session.options());
    TransferRequest request = first;
    boolean provedAnew = false;
    while (true) {
      session.options().progress().at(Progress.Step.SENDING);
      try {
        SignedReply reply = session.gateway().submitTransfer(core, request);
        return commit(draft, request, reply);
      } catch (ProtocolException e) {
        if (!provedAnew && OF_THE_EVIDENCE.contains(e.code())) {
          // made elsewhere: this wallet verifies what it makes itself
          provedAnew = true;
          request = provedAnew(draft, List.of(), session.rules().newest());
          continue;
        }
        request = afterRefusal(draft, request, e);
        patience.pause(e);
      } catch (WalletException e) {
        if (e.error() != WalletError.GATEWAY_UNREACHABLE) {
          throw e;
        }
        patience.pause(inFlight(core, e));
      }
    }
  }

  /** The request to send next, or the refusal when sending again cannot help. */
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

  /** Periods only move on, so a period that is over by the countersigned policy stays refused. */
  private TransferRequest inLaterPeriod(
      TransferDraft draft, TransferRequest request, ProtocolException refusal) {
    Rules rules = session.rules().newest();
    if (rules.policy().version() == request.evidence().policyVersion()
        && rules.policy().period().compareTo(draft.statement().period()) > 0) {
      throw new Unfinishable(draft, refusal);
    }
    return renewed(draft, request, rules);
  }

  private TransferRequest renewed(TransferDraft draft, TransferRequest request) {
    return renewed(draft, request, session.rules().newest());
  }

  /**
   * The same core with evidence under the newest rules; the same request when the rules have not
   * moved.
   */
  private TransferRequest renewed(TransferDraft draft, TransferRequest request, Rules rules) {
    if (rules.policy().version() == request.evidence().policyVersion()
        && rules.checkpoint().version() == request.evidence().checkpointVersion()) {
      return request;
    }
    return provedAnew(draft, request.certificate(), rules);
  }

  /**
   * @param certificate to go with it
   */
  private TransferRequest provedAnew(
      TransferDraft draft, List<PartialSignature> certificate, Rules rules) {
    requireProvable(draft, rules);
    session.options().progress().at(Progress.Step.RENEWING);
    WalletState state = session.store().state();
    TransferRequest renewed =
        session
            .evidence()
            .request(
                draft,
                compliance(state).signature(),
                inputSignatures(state, draft.memo()),
                rules,
                certificate);
    session.store().update(edit -> edit.pending = renewed);
    return renewed;
  }

  /**
   * @throws Unfinishable when the newer rules admit no proof of this core
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
      throw new Unfinishable(draft, e);
    }
  }

  /**
   * Verifies the signatures, then stores the successor, the record and what is left to do, in one
   * write.
   */
  private FinishedTransfer commit(TransferDraft draft, TransferRequest request, SignedReply reply) {
    List<Signature> signatures = session.collector().collect(draft.outputs(), reply);
    Memo memo = draft.memo();
    TransferRecord record = draft.record(session.network());
    session
        .store()
        .update(edit -> {
          int index = edit.transfers.size();
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
   * As signed, the coin's signature has the base h that everybody can compute from this transfer's
   * statement: a payee and an authority together would find the transfer by it. Raised to a fresh t
   * it fits them all.
   */
  private PendingDelivery delivery(TransferDraft draft, Signature signed, int index) {
    Memo memo = draft.memo();
    Signature signature;
    try (Scalar t = session.scalars().next()) {
      signature = session.platform().suite().randomise(signed, t);
    }
    Parcel parcel =
        new Parcel.Payment(
            memo.paid(),
            draft.prepared().recipientCoin().rho(),
            signature,
            memo.atMillis(),
            memo.reference());
    return new PendingDelivery(
        index, session.parcels().seal(memo.recipient().encryptionKey(), parcel));
  }

  /** The payout desk wants 2f+1 verified partial signatures. */
  private List<PartialSignature> quorum(TransferDraft draft, SignedReply reply) {
    return session
        .collector()
        .checked(draft.statement().outputs(), draft.plan().d(), reply.partials())
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
                "a coin that the transfer in flight claims is not known here"));
  }

  static SignedComplianceCoin compliance(WalletState state) {
    SignedComplianceCoin compliance = state.compliance();
    if (compliance == null) {
      throw new WalletException(WalletError.NOT_REGISTERED, "this wallet is not registered yet");
    }
    return compliance;
  }

  private static WalletException inFlight(TxCore core, WalletException cause) {
    return new WalletException(
        WalletError.TRANSFER_IN_FLIGHT,
        "the transfer "
            + core.hex()
            + " was sent and waits for its answer ("
            + cause.getMessage()
            + "); the next command goes on with it",
        cause);
  }
}
