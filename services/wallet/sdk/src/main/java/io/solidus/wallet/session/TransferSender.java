package io.solidus.wallet.session;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Coin;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Family;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Signature;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.SignedReply;
import io.solidus.wallet.mailbox.Parcel;
import io.solidus.wallet.model.BulkLines;
import io.solidus.wallet.model.Memo;
import io.solidus.wallet.model.PaymentId;
import io.solidus.wallet.model.PaymentOrder;
import io.solidus.wallet.model.PendingDelivery;
import io.solidus.wallet.model.PendingRedemption;
import io.solidus.wallet.model.SpentInput;
import io.solidus.wallet.model.WalletState;
import io.solidus.wallet.transfer.TransferIntent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sends a stored transfer until it is signed, in networks of both kinds, and makes what follows
 * from the signatures: the payee's parcel and the evidence of a payout.
 */
final class TransferSender {
  /**
   * Refusals that new evidence for the same core may resolve. A request from a look-up may have
   * evidence that a lying authority altered.
   */
  static final Set<RejectionCode> EVIDENCE_REFUSALS =
      EnumSet.of(
          RejectionCode.MALFORMED_REQUEST,
          RejectionCode.BODY_TOO_LARGE,
          RejectionCode.UNKNOWN_VERSION,
          RejectionCode.IDENTITY_POINT,
          RejectionCode.POINT_NOT_ON_CURVE,
          RejectionCode.POINT_NOT_IN_SUBGROUP,
          RejectionCode.PROOF_INVALID,
          RejectionCode.SIGNATURE_INVALID,
          RejectionCode.SHOWN_SIGNATURE_INVALID);

  private final WalletSession session;

  TransferSender(WalletSession session) {
    this.session = session;
  }

  /** Makes other evidence for the core that is sent. */
  interface Renewal {
    /** This wallet's own evidence, stored in place of the refused one. */
    TransferRequest proveAgain();

    /** The request to send next; throws the refusal when sending again cannot help. */
    TransferRequest after(TransferRequest sent, ProtocolException refusal);
  }

  /** The request of a retryable refusal; throws a final one. */
  static TransferRequest unlessFinal(TransferRequest sent, ProtocolException refusal) {
    if (!refusal.code().retryable()) {
      throw refusal;
    }
    return sent;
  }

  /**
   * The memo of a new transfer.
   *
   * @param unfinished as {@link Memo#unfinished}
   */
  Memo memo(TransferIntent intent, SerialNumber lead, int unfinished) {
    return new Memo(
        session.store().state().freshCounter(lead),
        session.options().clock().millis(),
        intent.payees(),
        intent.withdrawn(),
        intent.inputs().stream()
            .map(coin -> new SpentInput(coin.origin(), coin.value(), coin.rho()))
            .toList(),
        unfinished,
        intent.bulk());
  }

  /**
   * Stores a complete request, and the names of what it pays, before its first byte leaves.
   *
   * @param paymentId the application's name of the payment; null for none
   */
  void store(TransferIntent intent, TransferRequest request, @Nullable String paymentId) {
    TxCore core = request.statement().core(session.network());
    BulkLines bulk = intent.bulk();
    session
        .store()
        .update(draft -> {
          draft.send(request);
          if (paymentId != null) {
            draft.remember(new PaymentId(paymentId, core));
          }
          if (bulk != null) {
            bulk.names().forEach(name -> draft.remember(new PaymentId(name, core)));
          }
        });
  }

  /**
   * Sends until {@code commit} has the signatures.
   *
   * @param first the stored request
   * @throws ProtocolException the validators' refusal
   * @throws WalletException {@code transfer-in-flight} when the outcome is not known
   */
  <T> T send(
      TransferRequest first, Renewal renewal, BiFunction<TransferRequest, SignedReply, T> commit) {
    TxCore core = first.statement().core(session.network());
    RetryPolicy retries = new RetryPolicy(session.options());
    TransferRequest request = first;
    boolean proofRenewed = false;
    while (true) {
      session.options().progress().at(Progress.Step.SENDING);
      try {
        return commit.apply(request, session.gateway().submitTransfer(core, request));
      } catch (ProtocolException e) {
        if (!proofRenewed && EVIDENCE_REFUSALS.contains(e.code())) {
          // The evidence came from a look-up; evidence of this wallet is verified before it is
          // sent.
          proofRenewed = true;
          request = renewal.proveAgain();
          continue;
        }
        request = renewal.after(request, e);
        retries.pause(e);
      } catch (WalletException e) {
        if (e.error() != WalletError.GATEWAY_UNREACHABLE) {
          throw e;
        }
        retries.pause(inFlight(core, e));
      }
    }
  }

  /**
   * Stores one of several requests of a core as the transfer in flight: the first that is signed at
   * once, the first of all when none is. They differ in their evidence. The evidence from a correct
   * authority verifies, a lying authority's may not.
   */
  void choose(List<TransferRequest> shown) {
    List<TransferRequest> fitting =
        shown.stream().map(request -> withEnoughVotes(session, request)).distinct().toList();
    TransferRequest chosen = fitting.size() == 1 ? fitting.getFirst() : firstSigned(fitting);
    session.store().update(edit -> edit.send(chosen));
  }

  /**
   * The request with as many votes as finish it, and with none where it has not so many: an
   * authority may show it with signatures that it made up, too many for any body.
   */
  static TransferRequest withEnoughVotes(WalletSession session, TransferRequest request) {
    Committee committee = session.platform().committee();
    List<PartialSignature> votes =
        committee.votesFor(
            request.statement().core(session.network()),
            request.certificate(),
            committee.certificateVotes(),
            session.options().clock().instant());
    return new TransferRequest(
        request.statement(),
        request.evidence(),
        request.attachments(),
        votes.size() < committee.weakQuorum() ? List.of() : votes);
  }

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

  /**
   * Adds what a signed transfer leaves to do: the deliveries of the payees' coins and the payout.
   *
   * @param coins of the payees, and behind them those of nobody
   * @param signatures of the outputs
   */
  void addWork(
      WalletState.Draft edit,
      Memo memo,
      List<Coin> coins,
      List<Signature> signatures,
      Outputs outputs,
      TransferRequest request,
      SignedReply reply) {
    int index = edit.transferCount() - 1;
    edit.deliveries.addAll(deliveries(memo, coins, signatures, index));
    if (!memo.withdrawn().equals(Amount.ZERO)) {
      TxCore core = request.statement().core(session.network());
      edit.redemptions.add(new PendingRedemption(index, request, quorum(core, outputs, reply)));
    }
  }

  /**
   * One message for each payee. A transfer to several has one for each place, in random order:
   * those that pay nobody are for nobody, so that their number does not tell how many are paid.
   */
  @Spec("W-53")
  private List<PendingDelivery> deliveries(
      Memo memo, List<Coin> coins, List<Signature> signatures, int index) {
    List<PendingDelivery> deliveries = new ArrayList<>();
    for (int payee = 0; payee < coins.size(); payee++) {
      if (payee < memo.payees().size()) {
        if (!memo.payees().get(payee).amount().isZero()) {
          deliveries.add(
              delivery(
                  memo, payee, coins.get(payee), signatures.get(Family.outputOf(payee)), index));
        }
      } else {
        deliveries.add(
            new PendingDelivery(index, payee, session.parcels().sealToNobody(session.random())));
      }
    }
    Collections.shuffle(deliveries, session.random());
    return deliveries;
  }

  /**
   * The delivery of a payee's coin. The coin's signature as collected has the base h, which anyone
   * can compute from this transfer's statement. A payee and an authority together could identify
   * the transfer by it. Randomised with a fresh t, the signature fits every transfer.
   */
  PendingDelivery delivery(Memo memo, int payee, Coin coin, Signature signed, int index) {
    PaymentOrder order = memo.payees().get(payee);
    Signature signature;
    try (Scalar t = session.scalars().next()) {
      signature = session.platform().suite().randomise(signed, t);
    }
    Parcel parcel =
        new Parcel.Payment(
            coin.origin(),
            order.amount(),
            coin.rho(),
            signature,
            memo.atMillis(),
            order.reference());
    return new PendingDelivery(
        index, payee, session.parcels().seal(order.to().encryptionKey(), parcel));
  }

  /** The 2f+1 complete answers that the issuer requires. */
  private List<PartialSignature> quorum(TxCore core, Outputs outputs, SignedReply reply) {
    return session.collector().checked(core, outputs, reply.partials()).stream()
        .limit(session.platform().committee().quorum())
        .toList();
  }

  /** The indexes of the authorities whose answers arrived. */
  static List<Integer> authorities(SignedReply reply) {
    return reply.partials().stream().map(PartialSignature::authority).sorted().toList();
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
