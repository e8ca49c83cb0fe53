package io.solidus.wallet.session;

import io.solidus.protocol.Coin;
import io.solidus.protocol.Family;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TransferStatement;
import io.solidus.protocol.TxCore;
import io.solidus.prover.Suite;
import io.solidus.wallet.gateway.SignedReply;
import io.solidus.wallet.keys.TransferSecrets;
import io.solidus.wallet.model.Memo;
import io.solidus.wallet.model.PendingDelivery;
import io.solidus.wallet.model.TransferRecord;
import io.solidus.wallet.transfer.BlindedOutputs;
import java.util.List;

/**
 * Makes the coin of a finished payment wait for its delivery once more. The payee accepts it once,
 * however often it comes.
 */
public final class PaymentResender {
  private final WalletSession session;
  private final ReceiptMaker receipts;
  private final TransferSender sender;

  public PaymentResender(WalletSession session) {
    this.session = session;
    this.receipts = new ReceiptMaker(session);
    this.sender = new TransferSender(session);
  }

  /**
   * Puts a payee's coin among the waiting deliveries. Of a payment that the file no longer has the
   * coin of, the authorities' signatures are collected again.
   *
   * @param payee the place in the transfer, from 0
   * @throws ProtocolException not-found for a transfer that this wallet did not make, or that paid
   *     nobody; no-quorum when too few authorities confirm it now
   */
  public void prepare(TxCore core, int payee) {
    prepare(payment(core, payee), payee);
  }

  private void prepare(int index, int payee) {
    if (kept(index, payee).isEmpty()) {
      addAgain(index, payee);
    } else {
      session
          .store()
          .update(edit ->
              edit.deliveries.replaceAll(delivery ->
                  isOf(delivery, index, payee)
                      ? delivery.with(PendingDelivery.Stage.WAITING)
                      : delivery));
    }
  }

  /**
   * The blob of a payee's coin, to be handed over. Of a payment that the file no longer has the
   * coin of, the authorities' signatures are collected again.
   *
   * @throws ProtocolException as {@link #prepare}
   */
  public byte[] blob(TxCore core, int payee) {
    int index = payment(core, payee);
    return kept(index, payee).stream().findFirst().orElseGet(() -> addAgain(index, payee)).blob();
  }

  private int payment(TxCore core, int payee) {
    int index = payment(core);
    ReceiptMaker.requirePayee(session.store().state().transfers().get(index).memo(), payee);
    return index;
  }

  private int payment(TxCore core) {
    List<TransferRecord> transfers = session.store().state().transfers();
    int index = transfers.stream().map(TransferRecord::core).toList().indexOf(core);
    if (index < 0 || transfers.get(index).memo().paid().isZero()) {
      throw new ProtocolException(
          RejectionCode.NOT_FOUND, "this wallet made no such payment to anybody");
    }
    return index;
  }

  private static boolean isOf(PendingDelivery delivery, int index, int payee) {
    return delivery.transfer() == index && delivery.payee() == payee;
  }

  private List<PendingDelivery> kept(int index, int payee) {
    return session.store().state().deliveries().stream()
        .filter(delivery -> isOf(delivery, index, payee))
        .toList();
  }

  private PendingDelivery addAgain(int index, int payee) {
    session.gatewayInfo();
    PendingDelivery again = delivery(session.store().state().transfers().get(index), index, payee);
    session.store().update(edit -> edit.deliveries.add(again));
    return again;
  }

  private PendingDelivery delivery(TransferRecord record, int index, int payee) {
    Memo memo = record.memo();
    TransferStatement statement = receipts.stored(record).statement();
    SignedReply reply = session.gateway().transfer(record.core(), record.lead());
    Suite suite = session.platform().suite();
    try (TransferSecrets secrets = receipts.secrets(memo, statement)) {
      Coin coin = receipts.coin(memo, payee, receipts.rhos(secrets, statement));
      int output = Family.outputOf(payee);
      Signature signed =
          session
              .collector()
              .collect(
                  record.core(),
                  Outputs.of(session.network(), statement),
                  output,
                  new BlindedOutputs.Opening(suite.coinMessage(coin), secrets.b().get(output)),
                  reply);
      return sender.delivery(memo, payee, coin, signed, index);
    }
  }
}
