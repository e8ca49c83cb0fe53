package io.solidus.wallet;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.protocol.MintId;
import io.solidus.protocol.Period;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.Person;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.model.PayoutInstruction;
import io.solidus.wallet.model.Receipt;
import io.solidus.wallet.model.RegistrationStatus;
import io.solidus.wallet.model.RuleMark;
import io.solidus.wallet.model.SignedComplianceCoin;
import io.solidus.wallet.model.WalletProfile;
import io.solidus.wallet.model.WalletState;
import io.solidus.wallet.session.ChainWalker;
import io.solidus.wallet.session.Courier;
import io.solidus.wallet.session.EvidenceExporter;
import io.solidus.wallet.session.Minter;
import io.solidus.wallet.session.PaymentDesk;
import io.solidus.wallet.session.Redeemer;
import io.solidus.wallet.session.Registrar;
import io.solidus.wallet.session.Restorer;
import io.solidus.wallet.session.TransferRunner;
import io.solidus.wallet.session.WalletOptions;
import io.solidus.wallet.session.WalletPlatform;
import io.solidus.wallet.session.WalletSession;
import io.solidus.wallet.store.WalletStore;
import io.solidus.wallet.transfer.FinishedTransfer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A wallet: one seed phrase, one encrypted file, one network. All methods may be called from any
 * thread and run one at a time. A rule that says no throws a {@link ProtocolException} with a
 * stable code; everything else throws a {@link WalletException}.
 *
 * <p>Money moves in three ways. {@link #mint} turns a funding into a coin. {@link #pay} sends a new
 * coin to another wallet, which {@link #receive}s it. Received and minted coins count as unclaimed
 * until a transfer claims them, which every transfer does by itself for up to two.
 */
public final class Wallet implements AutoCloseable {
  private final WalletSession session;
  private final @Nullable WalletPlatform ownPlatform;
  private final Courier courier;
  private final Registrar registrar;
  private final Minter minter;
  private final Redeemer redeemer;
  private final PaymentDesk payments;
  private final Restorer restorer;

  private Wallet(
      WalletStore store, WalletPlatform platform, boolean owns, WalletOptions options, Path path) {
    this.session = new WalletSession(store, platform, options, path.toAbsolutePath().getParent());
    this.ownPlatform = owns ? platform : null;
    this.courier = new Courier(session);
    this.registrar = new Registrar(session, courier);
    this.minter = new Minter(session, courier);
    this.redeemer = new Redeemer(session);
    TransferRunner runner = new TransferRunner(session);
    ChainWalker chain = new ChainWalker(session, runner);
    this.payments = new PaymentDesk(session, runner, chain);
    this.restorer = new Restorer(session, courier, registrar, chain);
  }

  /**
   * Makes a new wallet file.
   *
   * @param platform of the profile's network; it stays the caller's
   */
  public static Wallet create(
      Path path,
      char[] passphrase,
      SeedPhrase phrase,
      WalletProfile profile,
      WalletPlatform platform,
      WalletOptions options) {
    WalletStore store =
        WalletStore.create(
            path, passphrase, options.passphraseCost(), phrase, WalletState.empty(profile));
    return over(store, platform, false, options, path);
  }

  /** Opens a wallet file with a platform that stays the caller's. */
  public static Wallet open(
      Path path, char[] passphrase, WalletPlatform platform, WalletOptions options) {
    return over(WalletStore.open(path, passphrase), platform, false, options, path);
  }

  /** Opens a wallet file and the keys that it pinned. */
  public static Wallet open(Path path, char[] passphrase, WalletOptions options) {
    WalletStore store = WalletStore.open(path, passphrase);
    try {
      return over(store, WalletPlatform.open(store.state().profile()), true, options, path);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  private static Wallet over(
      WalletStore store, WalletPlatform platform, boolean owns, WalletOptions options, Path path) {
    try {
      return new Wallet(store, platform, owns, options, path);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /**
   * After {@link #create} with a known phrase: brings back history, coins and what was in flight.
   */
  public synchronized Restorer.Restored restore() {
    Restorer.Restored restored = restorer.restore();
    finishErrands();
    return restored;
  }

  public synchronized Address address() {
    return session.address();
  }

  /** The address as text (Bech32m). */
  public synchronized String addressText() {
    return session.address().encode(session.network());
  }

  /**
   * @throws WalletException {@code address-invalid}
   */
  public synchronized Address parseAddress(String text) {
    try {
      return Address.decode(session.network(), text.strip());
    } catch (ProtocolException e) {
      throw new WalletException(WalletError.ADDRESS_INVALID, e.detail(), e);
    }
  }

  public synchronized WalletProfile profile() {
    return session.store().state().profile();
  }

  /**
   * Changes where the wallet finds its gateway, services or keys, because its owner says so; the
   * pinned network and manifest key stay. Takes effect when opened again.
   */
  public synchronized void moveTo(WalletProfile profile) {
    WalletProfile now = profile();
    if (!now.network().equals(profile.network())
        || !Arrays.equals(now.manifestKey(), profile.manifestKey())) {
      throw new WalletException(
          WalletError.NETWORK_MISMATCH, "a wallet stays on the network it was made for");
    }
    session.store().update(edit -> edit.profile = profile);
  }

  /** Opens a registration case, or goes on with the one that is open. */
  public synchronized RegistrationStatus register(Person person) {
    return registrar.register(person);
  }

  /** Asks how the registration stands, and fetches the compliance coin when it is approved. */
  public synchronized RegistrationStatus collectRegistration() {
    return registrar.collect();
  }

  /** Waits for the registration to be decided, at most so long. */
  public RegistrationStatus awaitRegistration(Duration limit) {
    Deadline deadline = new Deadline(limit);
    RegistrationStatus status = collectRegistration();
    while (status.stage() == RegistrationStatus.Stage.PENDING
        && deadline.sleep(session.options())) {
      status = collectRegistration();
    }
    return status;
  }

  /** Asks for a coin against a funding; two approvers decide. */
  public synchronized MintId requestMint(String fundingId, String accessToken, Amount value) {
    return requestMint(fundingId, accessToken, value, 0);
  }

  /**
   * @param ordinal 0, 1, ...: tells several mints of one funding apart
   */
  public synchronized MintId requestMint(
      String fundingId, String accessToken, Amount value, int ordinal) {
    requireRegistered();
    session.gatewayInfo();
    return minter.request(fundingId, accessToken, value, ordinal);
  }

  /** The minted coin's receipt, or empty while approvals are missing. */
  public synchronized Optional<Receipt> collectMint(MintId id) {
    return minter.collect(id);
  }

  /** Waits for a mint to be approved, at most so long. */
  public Optional<Receipt> awaitMint(MintId id, Duration limit) {
    Deadline deadline = new Deadline(limit);
    Optional<Receipt> receipt = collectMint(id);
    while (receipt.isEmpty() && deadline.sleep(session.options())) {
      receipt = collectMint(id);
    }
    return receipt;
  }

  public synchronized List<MintId> pendingMints() {
    return minter.pending();
  }

  public Payment pay(Address to, Amount amount) {
    return pay(to, amount, "");
  }

  /**
   * Pays, claiming up to two received coins in the same proof and, when more are needed, others
   * before.
   *
   * @param reference for the payee and the history, at most 140 bytes
   */
  public synchronized Payment pay(Address to, Amount amount, String reference) {
    payments.settle();
    return payment(payments.pay(to, amount, reference));
  }

  /**
   * Pays and claims; what would be above the holding limit leaves to a bank account in the same
   * proof.
   */
  public synchronized Payment payWithSurplus(
      Address to, Amount amount, String reference, PayoutInstruction payout) {
    payments.settle();
    return payment(List.of(payments.payWithSurplus(to, amount, reference, payout)));
  }

  /** Takes money out to a bank account. */
  public synchronized Payment withdraw(Amount amount, PayoutInstruction payout) {
    payments.settle();
    return payment(payments.withdraw(amount, payout));
  }

  /** Claims up to two received coins; empty when there is none. */
  public synchronized Optional<Payment> claim() {
    payments.settle();
    return payments.claim().map(transfer -> payment(List.of(transfer)));
  }

  /** As {@link #claim}, whatever the holding limit: the surplus leaves to a bank account. */
  public synchronized Optional<Payment> claimWithSurplus(PayoutInstruction payout) {
    payments.settle();
    return payments.claimWithSurplus(payout).map(transfer -> payment(List.of(transfer)));
  }

  /** Reads the mailbox; the coins that came in. */
  public synchronized List<Receipt> receive() {
    session.gatewayInfo();
    return courier.receive().receipts();
  }

  /**
   * Finishes whatever was left: a transfer in flight, deliveries, payouts. The latter two also when
   * the first cannot be.
   */
  public synchronized Optional<FinishedTransfer> settle() {
    try {
      return payments.settle();
    } finally {
      finishErrands();
    }
  }

  public synchronized Balance balance() {
    WalletState state = session.store().state();
    return new Balance(state.held(), state.unclaimed(), state.coins().size());
  }

  public synchronized List<HistoryItem> history() {
    return HistoryItem.of(session.store().state());
  }

  /** What shows a third party that a transfer of this wallet was made, as JSON. */
  public synchronized String exportEvidence(TxCore core) {
    return new EvidenceExporter(session).export(core);
  }

  public synchronized WalletStatus status() {
    WalletState state = session.store().state();
    SignedComplianceCoin compliance = state.compliance();
    return new WalletStatus(
        stage(state),
        new Balance(state.held(), state.unclaimed(), state.coins().size()),
        compliance == null ? new Period(0) : compliance.coin().period(),
        compliance == null ? Amount.ZERO : compliance.coin().sent(),
        compliance == null ? 0 : compliance.coin().count(),
        state.pending() != null,
        state.mints().size(),
        state.deliveries().size(),
        state.redemptions().size(),
        version(state.policyMark()),
        version(state.checkpointMark()));
  }

  @Override
  public synchronized void close() {
    session.close();
    if (ownPlatform != null) {
      ownPlatform.close();
    }
  }

  private Payment payment(List<FinishedTransfer> transfers) {
    return Payment.of(transfers, courier.deliver(), redeemer.redeem());
  }

  private void finishErrands() {
    courier.deliver();
    redeemer.redeem();
  }

  private void requireRegistered() {
    if (session.store().state().compliance() == null) {
      throw new WalletException(WalletError.NOT_REGISTERED, "this wallet is not registered yet");
    }
  }

  private static RegistrationStatus.Stage stage(WalletState state) {
    if (state.compliance() != null) {
      return RegistrationStatus.Stage.REGISTERED;
    }
    return state.registration() != null
        ? RegistrationStatus.Stage.PENDING
        : RegistrationStatus.Stage.NONE;
  }

  private static long version(@Nullable RuleMark mark) {
    return mark == null ? 0 : mark.version();
  }
}
