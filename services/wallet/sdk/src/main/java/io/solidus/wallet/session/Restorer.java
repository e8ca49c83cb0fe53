package io.solidus.wallet.session;

import io.solidus.protocol.Spec;
import io.solidus.wallet.model.MailboxCursor;
import io.solidus.wallet.model.SignedComplianceCoin;
import io.solidus.wallet.model.WalletState;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Restores a new wallet of a known seed phrase. The mailbox gives received coins and backup copies.
 * The chain of compliance coins gives the history and a transfer in flight. The file is marked
 * until all of it is done. A restore of a marked file reads the mailbox from its start, because the
 * copies in it are not stored, and goes on from the newest compliance coin in the file.
 */
@Spec("W-05")
public final class Restorer {
  private final WalletSession session;
  private final MailboxClient mailbox;
  private final Registrar registrar;
  private final ComplianceChainWalker chain;
  private final PaymentService payments;

  public Restorer(
      WalletSession session,
      MailboxClient mailbox,
      Registrar registrar,
      ComplianceChainWalker chain,
      PaymentService payments) {
    this.session = session;
    this.mailbox = mailbox;
    this.registrar = registrar;
    this.chain = chain;
    this.payments = payments;
  }

  /**
   * The result of a restore.
   *
   * @param coins number of received and minted coins in the file
   * @param transfers number of transfers in the file
   * @param registered whether the wallet has its compliance coin
   * @param disbelieved indexes of the authorities that signed foreign requests for this wallet's
   *     coins
   */
  public record Restored(
      int coins, int transfers, boolean registered, SortedSet<Integer> disbelieved) {}

  public Restored restore() {
    session.gatewayInfo();
    session
        .store()
        .update(edit -> {
          edit.restoring = true;
          edit.mailboxCursor = MailboxCursor.START;
        });
    MailboxClient.Mail mail = mailbox.receive();
    if (session.store().state().compliance() == null) {
      registrar
          .recognise(mail.firstSignatures())
          .ifPresent(first -> session.store().update(edit -> edit.compliance = first));
    }
    ComplianceChainWalker.Found found = walk(session.store().state().compliance());
    payments.settle(); // a transfer that a walk before this one found, and no authority shows now
    if (session.store().state().compliance() == null) {
      registrar.resume(mail.cases());
    } else if (!mail.cases().isEmpty()) {
      // the newest is the one that was approved: nobody opens another after it
      session.store().update(edit -> edit.registered = mail.cases().getLast());
    }
    WalletState state = session.store().update(edit -> edit.restoring = false);
    return new Restored(
        state.receivedCoins().size(),
        state.transfers().size(),
        state.compliance() != null,
        found.disbelieved());
  }

  private ComplianceChainWalker.Found walk(@Nullable SignedComplianceCoin from) {
    return from == null
        ? chain.catchUp(registrar.firstCoin(), null)
        : chain.catchUp(from.coin(), from.signature());
  }
}
