package io.solidus.wallet.session;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Coin;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Signature;
import io.solidus.protocol.Spec;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.MailboxPage;
import io.solidus.wallet.mailbox.Parcel;
import io.solidus.wallet.model.OwnedCoin;
import io.solidus.wallet.model.PendingDelivery;
import io.solidus.wallet.model.Receipt;
import io.solidus.wallet.model.RegistrationCase;
import io.solidus.wallet.model.WalletState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Takes sealed coins to the mailbox and fetches the wallet's own. */
public final class Courier {
  private static final int PAGE = 200;

  private final WalletSession session;

  public Courier(WalletSession session) {
    this.session = session;
  }

  /**
   * What a reading of the mailbox brought.
   *
   * @param receipts coins accepted, in the mailbox's order
   * @param firstSignatures said to be of the first compliance coin; anybody can send such a thing
   * @param cases that this wallet opened for its registration, in the mailbox's order
   */
  public record Mail(
      List<Receipt> receipts, List<Signature> firstSignatures, List<RegistrationCase> cases) {
    public Mail {
      receipts = List.copyOf(receipts);
      firstSignatures = List.copyOf(firstSignatures);
      cases = List.copyOf(cases);
    }
  }

  /**
   * Posts what is waiting; true when nothing is left. A mailbox that cannot be reached is tried
   * again at the next occasion.
   */
  public boolean deliver() {
    for (PendingDelivery delivery : session.store().state().deliveries()) {
      session.options().progress().at(Progress.Step.DELIVERING);
      // what this is about has been paid: whatever happens from here on must not look as if the
      // payment had failed
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

  /** Leaves a parcel to this wallet itself, for a later restore. */
  public void keepCopy(WalletState.Draft edit, Parcel parcel) {
    byte[] blob = session.parcels().seal(session.keys().encryptionKey().publicKey(), parcel);
    edit.deliveries.add(new PendingDelivery(PendingDelivery.SELF, blob));
  }

  /** Reads the mailbox from where the wallet left off. */
  public Mail receive() {
    session.options().progress().at(Progress.Step.READING_MAILBOX);
    Sorting sorting = new Sorting(session.store().state().seenRhos());
    while (true) {
      long cursor = session.store().state().mailboxCursor();
      MailboxPage page = session.gateway().mailbox(cursor, PAGE);
      if (page.entries().isEmpty() || page.next() <= cursor) {
        return sorting.mail();
      }
      sorting.startPage();
      page.entries()
          .forEach(entry ->
              session
                  .parcels()
                  .open(session.keys().encryptionKey(), entry.blob())
                  .ifPresent(sorting::take));
      session
          .store()
          .update(edit -> {
            sorting.accepted.forEach(arrival -> edit.accept(arrival.coin(), arrival.receipt()));
            edit.mailboxCursor = page.next();
          });
    }
  }

  private void pauseAtRandom() {
    long most = session.options().maxMailboxDelay().toMillis();
    if (most > 0) {
      Patience.sleep(session.random().nextLong(most + 1));
    }
  }

  private record Arrival(OwnedCoin coin, Receipt receipt) {}

  /** Accepts only coins that are this wallet's, validly signed, and of a rho never seen. */
  private final class Sorting {
    private final Set<FieldElement> seen;
    private final List<Receipt> receipts = new ArrayList<>();
    private List<Arrival> accepted = new ArrayList<>();
    private final List<Signature> firstSignatures = new ArrayList<>();
    private final List<RegistrationCase> cases = new ArrayList<>();

    Sorting(Set<FieldElement> seen) {
      this.seen = new HashSet<>(seen);
    }

    void startPage() {
      accepted = new ArrayList<>();
    }

    void take(Parcel parcel) {
      switch (parcel) {
        case Parcel.Payment p ->
            coin(
                p.value(),
                p.rho(),
                p.signature(),
                Receipt.Origin.RECEIVED,
                p.atMillis(),
                p.reference());
        case Parcel.Minted m ->
            coin(m.value(), m.rho(), m.signature(), Receipt.Origin.MINTED, m.atMillis(), "");
        case Parcel.Registered r -> firstSignatures.add(r.signature());
        case Parcel.Registering r -> {
          if (session.keys().caseTag(r.opened()).equals(r.tag())) {
            cases.add(r.opened());
          }
        }
      }
    }

    Mail mail() {
      return new Mail(receipts, firstSignatures, cases);
    }

    @Spec("W-06")
    private void coin(
        Amount value,
        FieldElement rho,
        Signature signature,
        Receipt.Origin origin,
        long atMillis,
        String reference) {
      if (value.isZero() || seen.contains(rho) || !verifies(value, rho, signature)) {
        return;
      }
      seen.add(rho);
      Receipt receipt = new Receipt(origin, value, rho, atMillis, reference);
      accepted.add(new Arrival(new OwnedCoin(value, rho, signature), receipt));
      receipts.add(receipt);
    }

    private boolean verifies(Amount value, FieldElement rho, Signature signature) {
      Coin coin = new Coin(value, session.factory().apk(), rho);
      return session
          .platform()
          .suite()
          .verify(
              session.platform().committee(),
              session.platform().suite().coinMessage(coin),
              signature);
    }
  }
}
