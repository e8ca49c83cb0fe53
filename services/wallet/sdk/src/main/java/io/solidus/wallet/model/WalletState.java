package io.solidus.wallet.model;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.request.PaymentRequest;
import io.solidus.wallet.request.RequestToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashTreePSet;
import org.pcollections.PSet;
import org.pcollections.PVector;
import org.pcollections.TreePVector;

/**
 * The content of a wallet's file besides its seed. Immutable: a change makes a new state, which is
 * written to the file before it is used. What only grows is shared between the states, so that a
 * change costs the same beside a long history.
 *
 * @param restoring whether the file lacks what its seed's wallet did elsewhere: a restore has begun
 *     and not ended. Until then the compliance coin may be spent
 * @param compliance the current compliance coin; null before the registration is finished
 * @param pending the transfer in flight, at most one; its memo contains its opening
 * @param abandoned transfers that were given up, for the history and so that no derived randomness
 *     is used twice
 * @param seenRhos the rho of every coin ever accepted or claimed, as the history has it: a second
 *     coin with the same rho has the same serial number and would be unspendable
 * @param paymentIds one entry for each attempt; at most one attempt of a name is finished
 * @param deliveries blobs for the mailbox, also posted ones while a mailbox keeps its messages
 * @param provedUnder all evidence ever made for {@code pending}; null when only that in {@code
 *     pending} was
 * @param recovers finished ones
 * @param contacts at most {@link #MAX_CONTACTS}, of different names
 * @param posts numbers of those of {@code deliveries} that the wallet does not see where it reads,
 *     and with private queries of all
 * @param registered the case that was approved, for blind tokens; null when it is not known
 * @param tokenDay of the newest batch of tokens, in days since 1970 (UTC); 0 before the first
 * @param tokens of that day and the day before, not spent
 * @param mailPlace of a wallet that reads its mail with private queries; null before it began
 * @param nextMailQuery when the next private query is due, drawn before it is known what is
 *     waiting; 0 before the first
 */
public record WalletState(
    WalletProfile profile,
    boolean restoring,
    @Nullable PendingRegistration registration,
    @Nullable SignedComplianceCoin compliance,
    @Nullable TransferRequest pending,
    List<OwnedCoin> coins,
    PSet<FieldElement> seenRhos,
    PVector<ReceivedCoin> receivedCoins,
    PVector<TransferRecord> transfers,
    PVector<PaymentId> paymentIds,
    List<AbandonedTransfer> abandoned,
    List<PendingMint> mints,
    List<PendingDelivery> deliveries,
    List<PendingRedemption> redemptions,
    MailboxCursor mailboxCursor,
    @Nullable RuleMark policyMark,
    @Nullable RuleMark checkpointMark,
    @Nullable RuleMark servicesMark,
    @Nullable ProvedUnder provedUnder,
    PVector<RecoverRecord> recovers,
    List<Contact> contacts,
    List<MailboxCursor> posts,
    @Nullable RegistrationCase registered,
    long tokenDay,
    List<SpendableToken> tokens,
    @Nullable MailPlace mailPlace,
    long nextMailQuery) {
  public static final int MAX_CONTACTS = 1_000;

  public WalletState {
    coins = List.copyOf(coins);
    abandoned = List.copyOf(abandoned);
    mints = List.copyOf(mints);
    deliveries = List.copyOf(deliveries);
    redemptions = List.copyOf(redemptions);
    contacts = List.copyOf(contacts);
    posts = List.copyOf(posts);
    tokens = List.copyOf(tokens);
  }

  public static WalletState empty(WalletProfile profile) {
    return new WalletState(
        profile,
        false,
        null,
        null,
        null,
        List.of(),
        HashTreePSet.empty(),
        TreePVector.empty(),
        TreePVector.empty(),
        TreePVector.empty(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        MailboxCursor.START,
        null,
        null,
        null,
        null,
        TreePVector.empty(),
        List.of(),
        List.of(),
        null,
        0,
        List.of(),
        null,
        0);
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

  /**
   * What the transfer in flight was ever proved under.
   *
   * @throws WalletException {@code internal} when none is in flight
   */
  public ProvedUnder requireProvedUnder() {
    if (pending == null) {
      throw new WalletException(WalletError.INTERNAL, "no transfer is in flight");
    }
    return provedUnder == null ? ProvedUnder.of(pending) : provedUnder;
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
      if (!delivery.isOwn() && delivery.stage() != PendingDelivery.Stage.SEEN) {
        oldest = Math.min(oldest, delivery.transfer());
      }
    }
    for (PendingRedemption redemption : redemptions) {
      oldest = Math.min(oldest, redemption.transfer());
    }
    return transfers.size() - oldest;
  }

  /** The finished transfer of the payment with this name. */
  public Optional<TransferRecord> paid(String paymentId) {
    Set<TxCore> named =
        paymentIds.stream()
            .filter(payment -> payment.id().equals(paymentId))
            .map(PaymentId::core)
            .collect(Collectors.toSet());
    return named.isEmpty()
        ? Optional.empty()
        : transfers.stream().filter(transfer -> named.contains(transfer.core())).findFirst();
  }

  /**
   * The finished transfer to this payee that carries the id of the payee's request. A wallet of the
   * words finds it as well: the id is in the transfer's memo.
   */
  public Optional<TransferRecord> paid(Apk payee, RequestToken request) {
    return transfers.stream()
        .filter(transfer ->
            transfer.memo().payees().stream()
                .filter(paid -> paid.to().apk().equals(payee) && !paid.amount().isZero())
                .anyMatch(paid -> PaymentRequest.isFor(request, paid.reference())))
        .findFirst();
  }

  /** The contact of this name. */
  public Optional<Contact> contact(String name) {
    String wanted = Contact.normalised(name);
    return contacts.stream().filter(contact -> contact.name().equals(wanted)).findFirst();
  }

  /** Whether a recover burnt a payment with this name. Its payee may have been paid. */
  public boolean burnt(String paymentId) {
    return paymentIds.stream()
        .filter(payment -> payment.id().equals(paymentId))
        .anyMatch(payment -> burnt(payment.core()));
  }

  /** The names of the payments that recovers burnt. */
  Set<String> burntNames() {
    return recovers.isEmpty()
        ? Set.of()
        : paymentIds.stream()
            .filter(payment -> burnt(payment.core()))
            .map(PaymentId::id)
            .collect(Collectors.toSet());
  }

  /** Whether a recover burnt this transfer. It may have been paid. */
  public boolean burnt(TxCore core) {
    return recovers.stream().anyMatch(recover -> recover.below().contains(core));
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
    private PSet<FieldElement> seenRhos;
    private PVector<ReceivedCoin> receivedCoins;
    private PVector<TransferRecord> transfers;
    private PVector<PaymentId> paymentIds;
    public final List<AbandonedTransfer> abandoned;
    public final List<PendingMint> mints;
    public final List<PendingDelivery> deliveries;
    public final List<PendingRedemption> redemptions;
    public MailboxCursor mailboxCursor;
    public @Nullable RuleMark policyMark;
    public @Nullable RuleMark checkpointMark;
    public @Nullable RuleMark servicesMark;
    public @Nullable ProvedUnder provedUnder;
    private PVector<RecoverRecord> recovers;
    public final List<Contact> contacts;
    public final List<MailboxCursor> posts;
    public @Nullable RegistrationCase registered;
    public long tokenDay;
    public final List<SpendableToken> tokens;
    public @Nullable MailPlace mailPlace;
    public long nextMailQuery;

    private Draft(WalletState state) {
      profile = state.profile;
      restoring = state.restoring;
      registration = state.registration;
      compliance = state.compliance;
      pending = state.pending;
      coins = new ArrayList<>(state.coins);
      seenRhos = state.seenRhos;
      receivedCoins = state.receivedCoins;
      transfers = state.transfers;
      paymentIds = state.paymentIds;
      abandoned = new ArrayList<>(state.abandoned);
      mints = new ArrayList<>(state.mints);
      deliveries = new ArrayList<>(state.deliveries);
      redemptions = new ArrayList<>(state.redemptions);
      mailboxCursor = state.mailboxCursor;
      policyMark = state.policyMark;
      checkpointMark = state.checkpointMark;
      servicesMark = state.servicesMark;
      provedUnder = state.provedUnder;
      recovers = state.recovers;
      contacts = new ArrayList<>(state.contacts);
      posts = new ArrayList<>(state.posts);
      registered = state.registered;
      tokenDay = state.tokenDay;
      tokens = new ArrayList<>(state.tokens);
      mailPlace = state.mailPlace;
      nextMailQuery = state.nextMailQuery;
    }

    /** Puts a transfer in flight: a new core, or the same with other evidence. */
    public void send(TransferRequest request) {
      provedUnder = ProvedUnder.after(pending, provedUnder, request);
      pending = request;
    }

    /** Whether a coin with this rho was ever accepted or claimed. */
    public boolean hasSeen(FieldElement rho) {
      return seenRhos.contains(rho);
    }

    /** The number of finished transfers. */
    public int transferCount() {
      return transfers.size();
    }

    /**
     * Adds a coin, also to the history. The caller has checked that its rho was not seen before.
     */
    public void accept(OwnedCoin coin, ReceivedCoin received) {
      coins.add(coin);
      remember(received);
    }

    /** Adds a coin to the history. */
    public void remember(ReceivedCoin received) {
      receivedCoins = receivedCoins.plus(received);
      seenRhos = seenRhos.plus(received.rho());
    }

    /** Records a finished transfer, also if it was given up before, and removes what it claimed. */
    public void finish(TransferRecord transfer) {
      remember(transfer);
      abandoned.removeIf(other -> other.core().equals(transfer.core()));
      transfer.memo().inputs().forEach(input -> coins.removeIf(c -> c.rho().equals(input.rho())));
    }

    /** Adds a finished transfer to the history; what it claimed must never be accepted again. */
    public void remember(TransferRecord transfer) {
      transfers = transfers.plus(transfer);
      for (SpentInput input : transfer.memo().inputs()) {
        seenRhos = seenRhos.plus(input.rho());
      }
    }

    /**
     * Records a finished recover in place of the transfer in flight, and removes what was claimed
     * below it: it is in the outputs, or lost.
     *
     * @param returned the returned coin; null when its value is zero or it is spent
     */
    public void finish(RecoverRecord recover, @Nullable OwnedCoin returned) {
      remember(recover);
      pending = null;
      coins.removeIf(coin -> seenIn(recover, coin.rho()));
      if (returned != null) {
        coins.add(returned);
      }
    }

    /** Adds a finished recover to the history; what it claimed must never be accepted again. */
    public void remember(RecoverRecord recover) {
      recovers = recovers.plus(recover);
      seenRhos = seenRhos.plusAll(recover.memo().claimed()).plus(recover.returnedRho());
    }

    private static boolean seenIn(RecoverRecord recover, FieldElement rho) {
      return rho.equals(recover.returnedRho()) || recover.memo().claimed().contains(rho);
    }

    /** Names a transfer that is not sent yet. */
    public void remember(PaymentId payment) {
      paymentIds = paymentIds.plus(payment);
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
          paymentIds,
          abandoned,
          mints,
          deliveries,
          redemptions,
          mailboxCursor,
          policyMark,
          checkpointMark,
          servicesMark,
          provedUnder,
          recovers,
          contacts,
          posts,
          registered,
          tokenDay,
          tokens,
          mailPlace,
          nextMailQuery);
    }
  }
}
