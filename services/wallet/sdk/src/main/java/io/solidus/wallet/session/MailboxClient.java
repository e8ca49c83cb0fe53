package io.solidus.wallet.session;

import io.solidus.protocol.Coin;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Origin;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Signature;
import io.solidus.protocol.Spec;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.MailboxPage;
import io.solidus.wallet.mailbox.Parcel;
import io.solidus.wallet.model.OwnedCoin;
import io.solidus.wallet.model.PendingDelivery;
import io.solidus.wallet.model.ReceivedCoin;
import io.solidus.wallet.model.RegistrationCase;
import io.solidus.wallet.model.WalletState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Posts sealed parcels to the mailbox and reads the wallet's own from it. */
public final class MailboxClient {
  private static final int PAGE = 200;

  private final WalletSession session;

  public MailboxClient(WalletSession session) {
    this.session = session;
  }

  /**
   * The parcels that were read.
   *
   * @param receivedCoins the accepted ones, in the mailbox's order
   * @param firstSignatures candidates for the first compliance coin's signature, not verified:
   *     anyone can send one
   * @param cases registration cases that this wallet opened, in the mailbox's order
   */
  public record Mail(
      List<ReceivedCoin> receivedCoins,
      List<Signature> firstSignatures,
      List<RegistrationCase> cases) {
    public Mail {
      receivedCoins = List.copyOf(receivedCoins);
      firstSignatures = List.copyOf(firstSignatures);
      cases = List.copyOf(cases);
    }
  }

  /**
   * Posts the waiting parcels. Returns whether none is left. Parcels stay stored when the mailbox
   * is unavailable; the next command posts them.
   */
  public boolean deliver() {
    for (PendingDelivery delivery : session.store().state().deliveries()) {
      session.options().progress().at(Progress.Step.DELIVERING);
      // the payment is finished; a failure of its delivery must not look like a failed payment
      try {
        pauseAtRandom();
        session.gateway().postMailbox(delivery.blob());
        session.store().update(edit -> edit.deliveries.remove(delivery));
      } catch (ProtocolException | WalletException e) {
        return false;
      }
    }
    return true;
  }

  /** Adds a parcel sealed to this wallet itself, for a later restore. */
  public void keepCopy(WalletState.Draft edit, Parcel parcel) {
    byte[] blob = session.parcels().seal(session.keys().encryptionKey().publicKey(), parcel);
    edit.deliveries.add(new PendingDelivery(PendingDelivery.SELF, blob));
  }

  /** Reads the mailbox from the stored position on. */
  public Mail receive() {
    session.options().progress().at(Progress.Step.READING_MAILBOX);
    ParcelSorter sorter = new ParcelSorter(session.store().state().seenRhos());
    while (true) {
      long cursor = session.store().state().mailboxCursor();
      MailboxPage page = session.gateway().mailbox(cursor, PAGE);
      if (page.entries().isEmpty() || page.next() <= cursor) {
        return sorter.mail();
      }
      sorter.startPage();
      page.entries()
          .forEach(entry ->
              session
                  .parcels()
                  .open(session.keys().encryptionKey(), entry.blob())
                  .ifPresent(sorter::add));
      session
          .store()
          .update(edit -> {
            sorter.accepted.forEach(arrival -> edit.accept(arrival.coin(), arrival.received()));
            edit.mailboxCursor = page.next();
          });
    }
  }

  private void pauseAtRandom() {
    long max = session.options().maxMailboxDelay().toMillis();
    if (max > 0) {
      RetryPolicy.sleep(session.random().nextLong(max + 1));
    }
  }

  private record Arrival(OwnedCoin coin, ReceivedCoin received) {}

  /**
   * Accepts only coins that are this wallet's, have a valid signature, and a rho never seen before.
   */
  private final class ParcelSorter {
    private final Set<FieldElement> seen;
    private final List<ReceivedCoin> receivedCoins = new ArrayList<>();
    private List<Arrival> accepted = new ArrayList<>();
    private final List<Signature> firstSignatures = new ArrayList<>();
    private final List<RegistrationCase> cases = new ArrayList<>();

    ParcelSorter(Set<FieldElement> seen) {
      this.seen = new HashSet<>(seen);
    }

    void startPage() {
      accepted = new ArrayList<>();
    }

    void add(Parcel parcel) {
      switch (parcel) {
        case Parcel.Payment p ->
            coin(
                new OwnedCoin(p.origin(), p.value(), p.rho(), p.signature()),
                p.atMillis(),
                p.reference());
        case Parcel.Minted m ->
            coin(new OwnedCoin(Origin.MINT, m.value(), m.rho(), m.signature()), m.atMillis(), "");
        case Parcel.Registered r -> firstSignatures.add(r.signature());
        case Parcel.Registering r -> {
          if (session.keys().caseTag(r.opened()).equals(r.tag())) {
            cases.add(r.opened());
          }
        }
      }
    }

    Mail mail() {
      return new Mail(receivedCoins, firstSignatures, cases);
    }

    @Spec("W-06")
    private void coin(OwnedCoin coin, long atMillis, String reference) {
      if (coin.value().isZero() || seen.contains(coin.rho()) || !verifies(coin)) {
        return;
      }
      seen.add(coin.rho());
      ReceivedCoin received =
          new ReceivedCoin(coin.origin(), coin.value(), coin.rho(), atMillis, reference);
      accepted.add(new Arrival(coin, received));
      receivedCoins.add(received);
    }

    private boolean verifies(OwnedCoin owned) {
      Coin coin = new Coin(owned.origin(), owned.value(), session.factory().apk(), owned.rho());
      return session
          .platform()
          .suite()
          .verify(
              session.platform().committee(),
              session.platform().suite().coinMessage(coin),
              owned.signature());
    }
  }
}
