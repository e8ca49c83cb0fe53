package io.solidus.wallet.session;

import io.solidus.protocol.Coin;
import io.solidus.protocol.Committee;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Origin;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.Suite;
import io.solidus.wallet.gateway.SignedReply;
import io.solidus.wallet.keys.TransferSecrets;
import io.solidus.wallet.model.Memo;
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
   * A verified receipt.
   *
   * @throws ProtocolException not-found for a transfer that this wallet did not make; no-quorum
   *     when too few authorities confirm it now
   */
  public PaymentReceipt receipt(TxCore core) {
    TransferRecord record =
        session.store().state().transfers().stream()
            .filter(transfer -> transfer.core().equals(core))
            .findFirst()
            .orElseThrow(() ->
                new ProtocolException(
                    RejectionCode.NOT_FOUND, "this wallet made no such transfer"));
    TransferStatement statement = stored(record).statement();
    SignedReply reply = session.gateway().transfer(core, record.lead());
    PaymentReceipt receipt = opened(record.memo(), statement, votes(core, reply));
    receipt.verify(
        session.platform().committee(),
        session.platform().suite(),
        session.options().clock().instant());
    return receipt;
  }

  /** Opens the first output, whose secrets follow from the seed and the statement. */
  private PaymentReceipt opened(
      Memo memo, TransferStatement statement, List<PartialSignature> votes) {
    Suite suite = session.platform().suite();
    try (TransferSecrets secrets = secrets(memo, statement)) {
      FieldElement rho =
          suite.rhos(secrets.seed(), statement.inputDigest(session.network())).getFirst();
      return new PaymentReceipt(
          session.network(), statement, votes, coin(memo, rho), secrets.s().getFirst());
    }
  }

  /** The secrets of a transfer of this wallet; the caller closes them. */
  TransferSecrets secrets(Memo memo, TransferStatement statement) {
    return session
        .keys()
        .transfer(statement.leadSerial(), memo.counter(), statement.period(), statement.context());
  }

  /** The payee's coin. */
  Coin coin(Memo memo, FieldElement rho) {
    boolean own =
        session.kind() == NetworkKind.REGULATED
            && memo.recipient().apk().equals(session.factory().apk());
    return new Coin(own ? Origin.OWN : Origin.PAYMENT, memo.paid(), memo.recipient().apk(), rho);
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
