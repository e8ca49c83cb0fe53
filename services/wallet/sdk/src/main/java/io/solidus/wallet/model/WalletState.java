package io.solidus.wallet.model;

import io.solidus.protocol.Amount;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All that a wallet keeps besides its seed. Immutable: a change makes a new state, which is written
 * before it is used.
 *
 * @param compliance the current compliance coin, or null before registration is finished
 * @param pending the one transfer that was sent and is not finished; its opening is in its own memo
 * @param abandoned transfers that were given up, for the history and so that no draw of randomness
 *     is used twice
 * @param seenRhos the rho of every coin ever accepted or claimed: a second coin with one of them
 *     would be unspendable
 */
public record WalletState(
    WalletProfile profile,
    @Nullable PendingRegistration registration,
    @Nullable SignedComplianceCoin compliance,
    @Nullable TransferRequest pending,
    List<OwnedCoin> coins,
    Set<FieldElement> seenRhos,
    List<Receipt> receipts,
    List<TransferRecord> transfers,
    List<AbandonedTransfer> abandoned,
    List<PendingMint> mints,
    List<PendingDelivery> deliveries,
    List<PendingRedemption> redemptions,
    long mailboxCursor,
    @Nullable RuleMark policyMark,
    @Nullable RuleMark checkpointMark) {
  public WalletState {
    coins = List.copyOf(coins);
    // in their order, which the file has: Set.copyOf would give them another one in every process
    seenRhos = Collections.unmodifiableSet(new LinkedHashSet<>(seenRhos));
    receipts = List.copyOf(receipts);
    transfers = List.copyOf(transfers);
    abandoned = List.copyOf(abandoned);
    mints = List.copyOf(mints);
    deliveries = List.copyOf(deliveries);
    redemptions = List.copyOf(redemptions);
  }

  public static WalletState empty(WalletProfile profile) {
    return new WalletState(
        profile, null, null, null, List.of(), Set.of(), List.of(), List.of(), List.of(), List.of(),
        List.of(), List.of(), 0, null, null);
  }

  public WalletState change(Consumer<Draft> edit) {
    Draft draft = new Draft(this);
    edit.accept(draft);
    return draft.freeze();
  }

  public Amount held() {
    return compliance == null ? Amount.ZERO : compliance.coin().held();
  }

  public Amount unclaimed() {
    return coins.stream().map(OwnedCoin::value).reduce(Amount.ZERO, Amount::plus);
  }

  /**
   * The first draw of randomness that no transfer out of this compliance coin was given up with.
   */
  public int freshCounter(SerialNumber lead) {
    return abandoned.stream()
        .filter(transfer -> transfer.lead().equals(lead))
        .mapToInt(transfer -> transfer.memo().counter() + 1)
        .max()
        .orElse(0);
  }

  /**
   * How many of the newest transfers must be gone through again to find everything undelivered or
   * not yet paid out.
   */
  public int unfinishedTransfers() {
    int oldest = transfers.size();
    for (PendingDelivery delivery : deliveries) {
      if (delivery.transfer() != PendingDelivery.SELF) {
        oldest = Math.min(oldest, delivery.transfer());
      }
    }
    for (PendingRedemption redemption : redemptions) {
      oldest = Math.min(oldest, redemption.transfer());
    }
    return transfers.size() - oldest;
  }

  /** A state being changed. */
  public static final class Draft {
    public WalletProfile profile;
    public @Nullable PendingRegistration registration;
    public @Nullable SignedComplianceCoin compliance;
    public @Nullable TransferRequest pending;
    public final List<OwnedCoin> coins;
    public final Set<FieldElement> seenRhos;
    public final List<Receipt> receipts;
    public final List<TransferRecord> transfers;
    public final List<AbandonedTransfer> abandoned;
    public final List<PendingMint> mints;
    public final List<PendingDelivery> deliveries;
    public final List<PendingRedemption> redemptions;
    public long mailboxCursor;
    public @Nullable RuleMark policyMark;
    public @Nullable RuleMark checkpointMark;

    private Draft(WalletState state) {
      profile = state.profile;
      registration = state.registration;
      compliance = state.compliance;
      pending = state.pending;
      coins = new ArrayList<>(state.coins);
      seenRhos = new LinkedHashSet<>(state.seenRhos);
      receipts = new ArrayList<>(state.receipts);
      transfers = new ArrayList<>(state.transfers);
      abandoned = new ArrayList<>(state.abandoned);
      mints = new ArrayList<>(state.mints);
      deliveries = new ArrayList<>(state.deliveries);
      redemptions = new ArrayList<>(state.redemptions);
      mailboxCursor = state.mailboxCursor;
      policyMark = state.policyMark;
      checkpointMark = state.checkpointMark;
    }

    /** Takes a coin in, with its receipt; a rho that was seen before is refused by the caller. */
    public void accept(OwnedCoin coin, Receipt receipt) {
      coins.add(coin);
      seenRhos.add(coin.rho());
      receipts.add(receipt);
    }

    /** A transfer is finished; should it have been given up, it was not. */
    public void finish(TransferRecord transfer) {
      transfers.add(transfer);
      abandoned.removeIf(other -> other.core().equals(transfer.core()));
      transfer.memo().inputs().forEach(input -> spend(input.rho()));
    }

    /**
     * A coin with this rho was claimed: it is no longer there to claim, and may never be accepted
     * again.
     */
    public void spend(FieldElement rho) {
      seenRhos.add(rho);
      coins.removeIf(coin -> coin.rho().equals(rho));
    }

    private WalletState freeze() {
      return new WalletState(
          profile,
          registration,
          compliance,
          pending,
          coins,
          seenRhos,
          receipts,
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
