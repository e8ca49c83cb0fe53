package io.solidus.wallet.session;

import io.solidus.protocol.Coin;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Origin;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.gateway.SignedReply;
import io.solidus.wallet.keys.TransferSecrets;
import io.solidus.wallet.model.Memo;
import io.solidus.wallet.model.PaymentOrder;
import io.solidus.wallet.model.TransferRecord;
import io.solidus.wallet.receipt.PaymentReceipt;
import java.util.List;

/** Makes receipts of this wallet's transfers from what the authorities store. */
public final class ReceiptMaker {
  private final WalletSession session;

  public ReceiptMaker(WalletSession session) {
    this.session = session;
  }

  /**
   * A verified receipt of one payment.
   *
   * @param payee the place of the payee in the transfer, from 0
   * @throws ProtocolException not-found for a transfer that this wallet did not make; no-quorum
   *     when too few authorities confirm it now
   */
  public PaymentReceipt receipt(TxCore core, int payee) {
    TransferRecord record =
        session.store().state().transfers().stream()
            .filter(transfer -> transfer.core().equals(core))
            .findFirst()
            .orElseThrow(() ->
                new ProtocolException(
                    RejectionCode.NOT_FOUND, "this wallet made no such transfer"));
    requirePayee(record.memo(), payee);
    TransferStatement statement = stored(record).statement();
    SignedReply reply = session.gateway().transfer(core, record.lead());
    PaymentReceipt receipt = opened(record.memo(), payee, statement, votes(core, reply));
    receipt.verify(
        session.platform().committee(),
        session.platform().suite(),
        session.options().clock().instant());
    return receipt;
  }

  /** The place of a payee that the transfer has. */
  static void requirePayee(Memo memo, int payee) {
    if (payee < 0 || payee >= memo.payees().size()) {
      throw new ProtocolException(
          RejectionCode.NOT_FOUND, "this transfer has " + memo.payees().size() + " payees");
    }
  }

  /** Opens a payee's output, whose secrets follow from the seed and the statement. */
  private PaymentReceipt opened(
      Memo memo, int payee, TransferStatement statement, List<PartialSignature> votes) {
    try (TransferSecrets secrets = secrets(memo, statement)) {
      return new PaymentReceipt(
          session.network(),
          statement,
          votes,
          coin(memo, payee, rhos(secrets, statement)),
          secrets.s().get(Family.outputOf(payee)));
    }
  }

  /** The randomness of the outputs. */
  List<FieldElement> rhos(TransferSecrets secrets, TransferStatement statement) {
    return session
        .platform()
        .suite()
        .rhos(
            secrets.seed(), statement.inputDigest(session.network()), statement.family().outputs());
  }

  /** The secrets of a transfer of this wallet; the caller closes them. */
  TransferSecrets secrets(Memo memo, TransferStatement statement) {
    return session
        .keys()
        .transfer(
            statement.leadSerial(),
            memo.counter(),
            statement.period(),
            statement.context(),
            0,
            statement.family().outputs());
  }

  /** A payee's coin. */
  Coin coin(Memo memo, int payee, List<FieldElement> rhos) {
    PaymentOrder order = memo.payees().get(payee);
    boolean own =
        session.kind() == NetworkKind.REGULATED && order.to().apk().equals(session.factory().apk());
    return new Coin(
        own ? Origin.OWN : Origin.PAYMENT,
        order.amount(),
        order.to().apk(),
        rhos.get(Family.outputOf(payee)));
  }

  /** A stored request. A lying authority can alter its evidence, but not the signed statement. */
  TransferRequest stored(TransferRecord record) {
    return new SignedLookUp(session)
        .ask(List.of(record.lead())).getFirst().shown().stream()
            .filter(request -> request.statement().core(session.network()).equals(record.core()))
            .findFirst()
            .orElseThrow(() ->
                new ProtocolException(
                    RejectionCode.NO_QUORUM,
                    "none of the reachable authorities returns this transfer"));
  }

  /** All valid votes: a reader may find some of a dishonest authority's wrong. */
  private List<PartialSignature> votes(TxCore core, SignedReply reply) {
    Committee committee = session.platform().committee();
    List<PartialSignature> votes =
        committee.votesFor(
            core, reply.partials(), committee.n(), session.options().clock().instant());
    if (votes.size() < committee.quorum()) {
      throw new ProtocolException(
          RejectionCode.NO_QUORUM, "too few authorities confirm the transfer right now");
    }
    return votes;
  }
}
