package io.solidus.wallet.session;

import io.solidus.protocol.Origin;
import io.solidus.wallet.model.MailboxCursor;
import io.solidus.wallet.model.WalletState;
import java.util.SortedSet;

/**
 * Restores a new wallet of a known seed phrase in an unregulated network. The mailbox gives the
 * coins: received ones, and the copies of minted coins and of change. The authorities give the
 * transfers that spend them, and a transfer in flight. The file is marked until all of it is done.
 */
public final class UnregulatedRestorer {
  private final WalletSession session;
  private final MailboxClient mailbox;
  private final CoinWalker walker;
  private final UnregulatedPayments payments;

  public UnregulatedRestorer(
      WalletSession session,
      MailboxClient mailbox,
      CoinWalker walker,
      UnregulatedPayments payments) {
    this.session = session;
    this.mailbox = mailbox;
    this.walker = walker;
    this.payments = payments;
  }

  /** As {@link Restorer#restore()}; an unregulated network registers nobody. */
  public Restorer.Restored restore() {
    session.gatewayInfo();
    session
        .store()
        .update(edit -> {
          edit.restoring = true;
          edit.mailboxCursor = MailboxCursor.START;
        });
    mailbox.receive();
    payments.settle(); // a transfer that a walk before this one found
    walker.requireLookUp();
    SortedSet<Integer> disbelieved = walker.catchUp();
    WalletState state = session.store().update(edit -> edit.restoring = false);
    int coins =
        (int)
            state.receivedCoins().stream()
                .filter(received -> received.origin() != Origin.OWN)
                .count();
    return new Restorer.Restored(coins, state.transfers().size(), false, disbelieved);
  }
}
