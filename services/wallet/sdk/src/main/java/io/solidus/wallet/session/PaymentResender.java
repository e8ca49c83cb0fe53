package io.solidus.wallet.session;

import io.solidus.protocol.Coin;
import io.solidus.protocol.FieldElement;
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
   * Puts the payee's coin among the waiting deliveries. Of a payment that the file no longer has
   * the coin of, the authorities' signatures are collected again.
   *
   * @throws ProtocolException not-found for a transfer that this wallet did not make, or that paid
   *     nobody; no-quorum when too few authorities confirm it now
   */
  public void prepare(TxCore core) {
    int index = payment(core);
    if (kept(index).isEmpty()) {
      addAgain(index);
    } else {
      session
          .store()
          .update(edit ->
              edit.deliveries.replaceAll(delivery ->
                  delivery.transfer() == index
                      ? delivery.with(PendingDelivery.Stage.WAITING)
                      : delivery));
    }
  }

  /**
   * The blob of a payment's coin, to be handed over. Of a payment that the file no longer has the
   * coin of, the authorities' signatures are collected again.
   *
   * @throws ProtocolException as {@link #prepare}
   */
  public byte[] blob(TxCore core) {
    int index = payment(core);
    return kept(index).stream().findFirst().orElseGet(() -> addAgain(index)).blob();
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

  private List<PendingDelivery> kept(int index) {
    return session.store().state().deliveries().stream()
        .filter(delivery -> delivery.transfer() == index)
        .toList();
  }

  private PendingDelivery addAgain(int index) {
    session.gatewayInfo();
    PendingDelivery again = delivery(session.store().state().transfers().get(index), index);
    session.store().update(edit -> edit.deliveries.add(again));
    return again;
  }

  private PendingDelivery delivery(TransferRecord record, int index) {
    Memo memo = record.memo();
    TransferStatement statement = receipts.stored(record).statement();
    SignedReply reply = session.gateway().transfer(record.core(), record.lead());
    Suite suite = session.platform().suite();
    try (TransferSecrets secrets = receipts.secrets(memo, statement)) {
      FieldElement rho =
          suite.rhos(secrets.seed(), statement.inputDigest(session.network())).getFirst();
      Coin coin = receipts.coin(memo, rho);
      BlindedOutputs first =
          new BlindedOutputs(
              Outputs.of(session.network(), statement),
              List.of(new BlindedOutputs.Opening(suite.coinMessage(coin), secrets.b().getFirst())));
      Signature signed = session.collector().collect(record.core(), first, reply).getFirst();
      return sender.delivery(memo, coin, signed, index);
    }
  }
}
