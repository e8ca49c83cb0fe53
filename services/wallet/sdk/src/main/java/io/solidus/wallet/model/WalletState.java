package io.solidus.wallet.model;

import io.solidus.protocol.Amount;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The content of a wallet's file besides its seed. Immutable: a change makes a new state, which is
 * written to the file before it is used.
 *
 * @param restoring whether the file lacks what its seed's wallet did elsewhere: a restore has begun
 *     and not ended. Until then the compliance coin may be spent
 * @param compliance the current compliance coin; null before the registration is finished
 * @param pending the transfer in flight, at most one; its memo contains its opening
 * @param abandoned transfers that were given up, for the history and so that no derived randomness
 *     is used twice
 * @param seenRhos the rho of every coin ever accepted or claimed: a second coin with the same rho
 *     has the same serial number and would be unspendable
 * @param deliveries blobs for the mailbox, also posted ones while a mailbox keeps its messages
 */
public record WalletState(
    WalletProfile profile,
    boolean restoring,
    @Nullable PendingRegistration registration,
    @Nullable SignedComplianceCoin compliance,
    @Nullable TransferRequest pending,
    List<OwnedCoin> coins,
    Set<FieldElement> seenRhos,
    List<ReceivedCoin> receivedCoins,
    List<TransferRecord> transfers,
    List<AbandonedTransfer> abandoned,
    List<PendingMint> mints,
    List<PendingDelivery> deliveries,
    List<PendingRedemption> redemptions,
    MailboxCursor mailboxCursor,
    @Nullable RuleMark policyMark,
    @Nullable RuleMark checkpointMark) {
  public WalletState {
    coins = List.copyOf(coins);
    // The order is part of the file. Set.copyOf would give another order in every process.
    seenRhos = Collections.unmodifiableSet(new LinkedHashSet<>(seenRhos));
    receivedCoins = List.copyOf(receivedCoins);
    transfers = List.copyOf(transfers);
    abandoned = List.copyOf(abandoned);
    mints = List.copyOf(mints);
    deliveries = List.copyOf(deliveries);
    redemptions = List.copyOf(redemptions);
  }

  public static WalletState empty(WalletProfile profile) {
    return new WalletState(
        profile,
        false,
        null,
        null,
        null,
        List.of(),
        Set.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        MailboxCursor.START,
        null,
        null);
  }

  public WalletState change(Consumer<Draft> edit) {
    Draft draft = new Draft(this);
    edit.accept(draft);
    return draft.freeze();
  }

  /**
   * The compliance coin.
   *
   * @throws WalletException {@code not-registered} when there is none yet
   */
  public SignedComplianceCoin requireCompliance() {
    if (compliance == null) {
      throw new WalletException(WalletError.NOT_REGISTERED, "this wallet is not registered yet");
    }
    return compliance;
  }

  /** The balance in the compliance coin; zero before the registration. */
  public Amount held() {
    return compliance == null ? Amount.ZERO : compliance.coin().held();
  }

  public Amount unclaimed() {
    return OwnedCoin.total(coins);
  }

  /** Whether this transfer was given up. */
  public boolean gaveUp(TxCore core) {
    return abandoned.stream().anyMatch(transfer -> transfer.core().equals(core));
  }

  /**
   * The first counter of derived randomness that no abandoned transfer of this compliance coin
   * used.
   */
  public int freshCounter(SerialNumber lead) {
    return abandoned.stream()
        .filter(transfer -> transfer.lead().equals(lead))
        .mapToInt(transfer -> transfer.memo().counter() + 1)
        .max()
        .orElse(0);
  }

  /**
   * The number of the newest transfers back to the oldest one whose coin has not been seen in the
   * mailbox or whose payout was not requested.
   */
  public int unfinishedTransfers() {
    int oldest = transfers.size();
    for (PendingDelivery delivery : deliveries) {
      if (delivery.transfer() != PendingDelivery.SELF
          && delivery.stage() != PendingDelivery.Stage.SEEN) {
        oldest = Math.min(oldest, delivery.transfer());
      }
    }
    for (PendingRedemption redemption : redemptions) {
      oldest = Math.min(oldest, redemption.transfer());
    }
    return transfers.size() - oldest;
  }

  /** The number of blobs that have to be posted. */
  public int waitingDeliveries() {
    return (int) deliveries.stream().filter(PendingDelivery::isWaiting).count();
  }

  /** A mutable copy of a state. */
  public static final class Draft {
    public WalletProfile profile;
    public boolean restoring;
    public @Nullable PendingRegistration registration;
    public @Nullable SignedComplianceCoin compliance;
    public @Nullable TransferRequest pending;
    public final List<OwnedCoin> coins;
    public final Set<FieldElement> seenRhos;
    public final List<ReceivedCoin> receivedCoins;
    public final List<TransferRecord> transfers;
    public final List<AbandonedTransfer> abandoned;
    public final List<PendingMint> mints;
    public final List<PendingDelivery> deliveries;
    public final List<PendingRedemption> redemptions;
    public MailboxCursor mailboxCursor;
    public @Nullable RuleMark policyMark;
    public @Nullable RuleMark checkpointMark;

    private Draft(WalletState state) {
      profile = state.profile;
      restoring = state.restoring;
      registration = state.registration;
      compliance = state.compliance;
      pending = state.pending;
      coins = new ArrayList<>(state.coins);
      seenRhos = new LinkedHashSet<>(state.seenRhos);
      receivedCoins = new ArrayList<>(state.receivedCoins);
      transfers = new ArrayList<>(state.transfers);
      abandoned = new ArrayList<>(state.abandoned);
      mints = new ArrayList<>(state.mints);
      deliveries = new ArrayList<>(state.deliveries);
      redemptions = new ArrayList<>(state.redemptions);
      mailboxCursor = state.mailboxCursor;
      policyMark = state.policyMark;
      checkpointMark = state.checkpointMark;
    }

    /**
     * Adds a coin, also to the history. The caller has checked that its rho was not seen before.
     */
    public void accept(OwnedCoin coin, ReceivedCoin received) {
      coins.add(coin);
      seenRhos.add(coin.rho());
      receivedCoins.add(received);
    }

    /** Records a finished transfer, also if it was given up before. */
    public void finish(TransferRecord transfer) {
      transfers.add(transfer);
      abandoned.removeIf(other -> other.core().equals(transfer.core()));
      transfer.memo().inputs().forEach(input -> spend(input.rho()));
    }

    /** Removes the coin with this rho, which was claimed and must never be accepted again. */
    public void spend(FieldElement rho) {
      seenRhos.add(rho);
      coins.removeIf(coin -> coin.rho().equals(rho));
    }

    private WalletState freeze() {
      return new WalletState(
          profile,
          restoring,
          registration,
          compliance,
          pending,
          coins,
          seenRhos,
          receivedCoins,
          transfers,
          abandoned,
          mints,
          deliveries,
          redemptions,
          mailboxCursor,
          policyMark,
          checkpointMark);
    }
  }
}
