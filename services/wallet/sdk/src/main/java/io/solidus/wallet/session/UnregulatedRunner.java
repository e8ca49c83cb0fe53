package io.solidus.wallet.session;

import io.solidus.protocol.Coin;
import io.solidus.protocol.Origin;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Signature;
import io.solidus.protocol.TransferRequest;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.SignedReply;
import io.solidus.wallet.model.Memo;
import io.solidus.wallet.model.OwnedCoin;
import io.solidus.wallet.model.ReceivedCoin;
import io.solidus.wallet.model.TransferRecord;
import io.solidus.wallet.model.WalletState;
import io.solidus.wallet.transfer.FinishedTransfer;
import io.solidus.wallet.transfer.TransferIntent;
import io.solidus.wallet.transfer.UnregulatedDraft;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs transfers of an unregulated network from the draft to the signed outputs. The complete
 * request is on disk before it is sent, and its core is final from then on. No rule expires, so no
 * transfer is given up.
 */
public final class UnregulatedRunner {
  private final WalletSession session;
  private final MailboxClient mailbox;
  private final TransferSender sender;

  public UnregulatedRunner(WalletSession session, MailboxClient mailbox) {
    this.session = session;
    this.mailbox = mailbox;
    this.sender = new TransferSender(session);
  }

  /**
   * Makes a transfer from the intent's coins, stores it and sends it.
   *
   * @param paymentId the application's name of the payment; null for none
   */
  public FinishedTransfer run(TransferIntent intent, @Nullable String paymentId) {
    WalletState state = session.store().state();
    if (state.pending() != null) {
      throw new WalletException(
          WalletError.TRANSFER_IN_FLIGHT, "an earlier transfer has to be finished first");
    }
    sender.store(intent, prepare(intent, state.unfinishedTransfers()), paymentId);
    return finish();
  }

  /** The complete request of an intent; nothing is stored or sent. */
  public TransferRequest prepare(TransferIntent intent, int unfinished) {
    Memo memo =
        sender.memo(intent, session.factory().serial(intent.inputs().getFirst().rho()), unfinished);
    try (UnregulatedDraft draft = session.unregulated().draft(memo, intent.payoutBlock())) {
      session.options().progress().at(Progress.Step.PROVING);
      return session
          .evidence()
          .request(draft, intent.inputs().stream().map(OwnedCoin::signature).toList());
    }
  }

  /**
   * Sends the stored transfer until it is signed.
   *
   * @throws ProtocolException the validators' refusal; the transfer stays stored
   * @throws WalletException {@code transfer-in-flight} when the outcome is not known; the transfer
   *     stays stored
   */
  public FinishedTransfer finish() {
    TransferRequest stored = session.store().state().pending();
    if (stored == null) {
      throw new WalletException(WalletError.INTERNAL, "no transfer is in flight");
    }
    try (UnregulatedDraft draft = reopen(stored)) {
      TransferSender.Renewal renewal =
          new TransferSender.Renewal() {
            @Override
            public TransferRequest proveAgain() {
              return UnregulatedRunner.this.proveAgain(draft);
            }

            @Override
            public TransferRequest after(TransferRequest sent, ProtocolException refusal) {
              return TransferSender.unlessFinal(sent, refusal);
            }
          };
      return sender.send(stored, renewal, (request, reply) -> commit(draft, request, reply));
    }
  }

  /**
   * Finishes a transfer that authorities hold, in place of the stored one.
   *
   * @param shown requests of one core of this wallet; each is sent once
   * @throws ProtocolException as {@link #finish()}
   */
  FinishedTransfer finish(List<TransferRequest> shown) {
    sender.choose(shown);
    return finish();
  }

  /** The draft of a request of this wallet. */
  UnregulatedDraft reopen(TransferRequest request) {
    return session
        .unregulated()
        .reopen(request)
        .orElseThrow(() ->
            new WalletException(
                WalletError.INTERNAL, "a transfer of this wallet does not open again"));
  }

  private TransferRequest proveAgain(UnregulatedDraft draft) {
    session.options().progress().at(Progress.Step.RENEWING);
    TransferRequest renewed =
        session
            .evidence()
            .request(draft, TransferRunner.inputSignatures(session.store().state(), draft.memo()));
    session.store().update(edit -> edit.send(renewed));
    return renewed;
  }

  /**
   * Verifies the signatures, then stores the record, the change with a copy of it for the mailbox,
   * and the pending delivery and payout, in one write.
   */
  private FinishedTransfer commit(
      UnregulatedDraft draft, TransferRequest request, SignedReply reply) {
    TransferRecord record = draft.record(session.network());
    List<Signature> signatures = session.collector().collect(record.core(), draft.outputs(), reply);
    Memo memo = draft.memo();
    session
        .store()
        .update(edit -> {
          edit.pending = null;
          edit.finish(record);
          sender.addWork(
              edit,
              memo,
              List.of(draft.prepared().recipientCoin()),
              signatures,
              draft.outputs().outputs(),
              request,
              reply);
          keepChange(edit, draft.change(), signatures.get(1), memo.atMillis());
        });
    return new FinishedTransfer(
        record.core(), record.lead(), memo, TransferSender.authorities(reply));
  }

  private void keepChange(WalletState.Draft edit, Coin change, Signature signature, long atMillis) {
    if (change.value().isZero() || edit.hasSeen(change.rho())) {
      return;
    }
    OwnedCoin coin = new OwnedCoin(change.origin(), change.value(), change.rho(), signature);
    ReceivedCoin received =
        new ReceivedCoin(Origin.OWN, change.value(), change.rho(), atMillis, "");
    edit.accept(coin, received);
    mailbox.keepCopy(edit, coin, received);
  }
}
