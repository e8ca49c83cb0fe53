package io.solidus.wallet;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.MintId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Period;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.Applicant;
import io.solidus.wallet.gateway.Connections;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.mailbox.ParcelText;
import io.solidus.wallet.model.BulkDoubts;
import io.solidus.wallet.model.BulkPlan;
import io.solidus.wallet.model.BulkStatus;
import io.solidus.wallet.model.Contact;
import io.solidus.wallet.model.PaymentOrder;
import io.solidus.wallet.model.PayoutInstruction;
import io.solidus.wallet.model.ReceivedCoin;
import io.solidus.wallet.model.RegistrationStatus;
import io.solidus.wallet.model.RuleMark;
import io.solidus.wallet.model.SignedComplianceCoin;
import io.solidus.wallet.model.TillState;
import io.solidus.wallet.model.WalletProfile;
import io.solidus.wallet.model.WalletState;
import io.solidus.wallet.receipt.PaymentReceipt;
import io.solidus.wallet.request.PaymentRequest;
import io.solidus.wallet.request.RequestText;
import io.solidus.wallet.request.RequestToken;
import io.solidus.wallet.session.BulkPayments;
import io.solidus.wallet.session.CoinWalker;
import io.solidus.wallet.session.ComplianceChainWalker;
import io.solidus.wallet.session.MailboxClient;
import io.solidus.wallet.session.MintService;
import io.solidus.wallet.session.PaymentResender;
import io.solidus.wallet.session.PaymentService;
import io.solidus.wallet.session.Payments;
import io.solidus.wallet.session.ReceiptMaker;
import io.solidus.wallet.session.RecoverService;
import io.solidus.wallet.session.RedemptionService;
import io.solidus.wallet.session.Registrar;
import io.solidus.wallet.session.Restorer;
import io.solidus.wallet.session.TagWatch;
import io.solidus.wallet.session.TransferRunner;
import io.solidus.wallet.session.UnregulatedPayments;
import io.solidus.wallet.session.UnregulatedRestorer;
import io.solidus.wallet.session.UnregulatedRunner;
import io.solidus.wallet.session.WalletOptions;
import io.solidus.wallet.session.WalletPlatform;
import io.solidus.wallet.session.WalletSession;
import io.solidus.wallet.store.TillStore;
import io.solidus.wallet.store.WalletStore;
import io.solidus.wallet.transfer.FinishedTransfer;
import io.solidus.wallet.transfer.LimitRules;
import io.solidus.wallet.trust.SignedServices;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A wallet: one seed phrase, one encrypted file, one network.
 *
 * <p>All methods may be called from any thread. Those that call services run one at a time; those
 * that only read the file ({@link #balance}, {@link #history}, {@link #status}, {@link #profile},
 * the address) do not wait for them. A refusal by a rule of the protocol, here or at a service,
 * throws a {@link ProtocolException} with a stable code. Every other failure throws a {@link
 * WalletException}, also with a stable code. {@link Amount}s are in minor units of the network's
 * currency.
 *
 * <p>{@link #requestMint} and {@link #collectMint} turn a funding into a coin. {@link #pay} sends a
 * new coin to another wallet, whose {@link #receive} accepts it. Received and minted coins are
 * unclaimed until a transfer claims them. Every transfer claims up to two, or 16 where the network
 * has claims of 16.
 *
 * <p>In an unregulated network nobody registers, nothing is limited, and every coin is spendable as
 * it is: {@link #requestMint}, {@link #pay}, {@link #receive} and {@link #withdraw} work as
 * described; registration, claims and recovers throw {@code not-supported}. The signed key manifest
 * says which kind a network is.
 *
 * <p>A payment that fails may be in flight: {@link #status} tells, and {@link #settle} finishes it.
 * Where it ends with serial-conflict, two devices made payments at once: {@link #recover}.
 */
public final class Wallet implements AutoCloseable {
  private final WalletSession session;
  private final @Nullable WalletPlatform ownPlatform;
  private final MailboxClient mailbox;
  private final Registrar registrar;
  private final MintService minter;
  private final RedemptionService redeemer;
  private final Payments payments;
  private final Restoring restoring;
  private final BulkPayments bulk;

  /** Null in an unregulated network, whose coins cannot lock an account. */
  private final @Nullable RecoverService recoveries;

  /** Null in a regulated network. */
  private final @Nullable CoinWalker walker;

  /** Restores in the way of the network's kind. */
  @FunctionalInterface
  private interface Restoring {
    Restorer.Restored restore();
  }

  private Wallet(
      WalletStore store, WalletPlatform platform, boolean owns, WalletOptions options, Path path) {
    this.session = new WalletSession(store, platform, options, path.toAbsolutePath().getParent());
    this.ownPlatform = owns ? platform : null;
    this.mailbox = new MailboxClient(session);
    this.registrar = new Registrar(session, mailbox);
    this.minter = new MintService(session, mailbox);
    this.redeemer = new RedemptionService(session);
    if (session.kind() == NetworkKind.UNREGULATED) {
      UnregulatedRunner runner = new UnregulatedRunner(session, mailbox);
      CoinWalker coins = new CoinWalker(session, mailbox, runner);
      UnregulatedPayments unlimited = new UnregulatedPayments(session, runner, coins);
      this.payments = unlimited;
      this.bulk = new BulkPayments(session, mailbox, unlimited);
      this.restoring = new UnregulatedRestorer(session, mailbox, coins, unlimited)::restore;
      this.recoveries = null;
      this.walker = coins;
      return;
    }
    TransferRunner runner = new TransferRunner(session);
    ComplianceChainWalker chain = new ComplianceChainWalker(session, mailbox, runner);
    PaymentService regulated = new PaymentService(session, runner, chain);
    this.payments = regulated;
    this.bulk = new BulkPayments(session, mailbox, regulated);
    this.restoring = new Restorer(session, mailbox, registrar, chain, regulated)::restore;
    this.recoveries = new RecoverService(session, runner, regulated, chain, registrar);
    this.walker = null;
  }

  /**
   * Makes a new wallet file of a new phrase.
   *
   * @param path of the file; its folder must exist
   * @param passphrase encrypts the file; the caller clears it
   * @param profile the network and the keys and services to pin
   * @param platform of the profile's network; the caller closes it after the wallet
   * @throws WalletException {@code store-exists}, {@code store-locked}, {@code store-unwritable},
   *     {@code network-mismatch}, {@code manifest-untrusted} or {@code insecure-address}
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
            path,
            passphrase,
            options.passphraseCost(),
            phrase,
            WalletState.empty(SignedServices.applied(profile)));
    return over(store, platform, false, options, path);
  }

  /**
   * As {@link #create}, of a phrase that has been used: the file is marked from its first byte, and
   * {@link #restore} finds what the phrase's wallet did. Every other call that needs to know it
   * restores first.
   */
  public static Wallet createToRestore(
      Path path,
      char[] passphrase,
      SeedPhrase phrase,
      WalletProfile profile,
      WalletPlatform platform,
      WalletOptions options) {
    WalletState marked =
        WalletState.empty(SignedServices.applied(profile)).change(edit -> edit.restoring = true);
    WalletStore store =
        WalletStore.create(path, passphrase, options.passphraseCost(), phrase, marked);
    return over(store, platform, false, options, path);
  }

  /**
   * Opens a wallet file.
   *
   * @param platform of the wallet's network; the caller closes it after the wallet
   * @throws WalletException {@code store-missing}, {@code store-locked}, {@code wrong-passphrase},
   *     {@code store-corrupt}, {@code store-version} or {@code network-mismatch}
   */
  public static Wallet open(
      Path path, char[] passphrase, WalletPlatform platform, WalletOptions options) {
    return over(WalletStore.open(path, passphrase), platform, false, options, path);
  }

  /**
   * Opens a wallet file and a platform of its own with the keys that the wallet pinned.
   *
   * @throws WalletException as with a platform of the caller, or {@code manifest-untrusted} or
   *     {@code not-supported}
   */
  public static Wallet open(Path path, char[] passphrase, WalletOptions options) {
    WalletStore store = WalletStore.open(path, passphrase);
    try {
      return over(store, WalletPlatform.open(store.state().profile()), true, options, path);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  static Wallet over(
      WalletStore store, WalletPlatform platform, boolean owns, WalletOptions options, Path path) {
    try {
      return new Wallet(store, platform, owns, options, path);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /**
   * Restores history, coins and a transfer in flight after {@link #createToRestore}. A restore that
   * failed or was cut off goes on when it is called again, also on the opened file.
   *
   * @throws ProtocolException no-quorum when too few authorities answer; serial-conflict when two
   *     transfers of this wallet prevent each other
   */
  public synchronized Restorer.Restored restore() {
    Restorer.Restored restored = restoring.restore();
    deliverAndRedeem();
    return restored;
  }

  /**
   * Encrypts the wallet's file under another passphrase. Copies of the file that were made before
   * still open with the old one.
   *
   * @param passphrase the caller clears it
   * @throws WalletException {@code store-unwritable}: the file opens with the old passphrase, or
   *     already with the new one where only the folder could not be written
   */
  public synchronized void changePassphrase(char[] passphrase) {
    session.store().changePassphrase(passphrase, session.options().passphraseCost());
  }

  /**
   * Whether a word of the phrase is the one that the owner has written down.
   *
   * @param place of the word, 1 to 24
   * @param word in any case; white space around it is ignored
   */
  public boolean hasWord(int place, String word) {
    if (place < 1 || place > SeedPhrase.WORDS) {
      throw ProtocolException.malformed("a phrase has the words 1 to " + SeedPhrase.WORDS);
    }
    try (SeedPhrase own = session.store().seedPhrase()) {
      String right = own.words().split(" ", -1)[place - 1];
      return right.equals(word.strip().toLowerCase(Locale.ROOT));
    }
  }

  /** Whether this is the wallet of the phrase. */
  public synchronized boolean isOf(SeedPhrase phrase) {
    try (SeedPhrase own = session.store().seedPhrase()) {
      return own.words().equals(phrase.words());
    }
  }

  /**
   * Writes the file of a {@link Till}, which sees this wallet's payments and cannot spend. It has
   * the wallet's address, the key that opens what is sealed to it, and the list of the coins that
   * this wallet has accepted. A restore that was cut off is finished first.
   *
   * @param path of the new file
   * @param passphrase of the till, another one than the wallet's; the caller clears it
   * @throws WalletException {@code store-exists}, {@code store-locked} or {@code store-unwritable}
   */
  public synchronized void makeTill(Path path, char[] passphrase) {
    finishRestore();
    WalletState state = session.store().state();
    TillStore.create(
        path,
        passphrase,
        session.options().passphraseCost(),
        session.keys().encryptionKey(),
        new TillState(
            state.profile().withProverKey(null),
            session.address().apk(),
            state.mailboxCursor(),
            state.seenRhos()));
  }

  /** The address for payments to this wallet; it never changes. */
  public Address address() {
    return session.address();
  }

  /** The address as text (Bech32m, {@code sld1...}). */
  public String addressText() {
    return session.address().encode(session.network());
  }

  /**
   * Parses another wallet's address. It can name a mailbox, which an application shows; {@link
   * #pay} refuses a mailbox that is none of the network's.
   *
   * @param text Bech32m; white space around it is ignored
   * @throws WalletException {@code address-invalid} for a mistyped address, or one of another
   *     network or version
   */
  public Address parseAddress(String text) {
    try {
      return Address.decode(session.network(), text.strip());
    } catch (ProtocolException e) {
      throw new WalletException(WalletError.ADDRESS_INVALID, e.detail(), e);
    }
  }

  /** The key that signs this wallet's payment requests; its payees' wallets may keep it. */
  public Ed25519PublicKey requestKey() {
    try (Ed25519PrivateKey key = session.keys().requestKey()) {
      return key.publicKey();
    }
  }

  /**
   * The URI of a payment request, {@code sld:...}: for links, QR codes and NFC.
   *
   * @param signed whether {@link #requestKey} signs it, which makes it 157 characters longer
   */
  public String writeRequest(PaymentRequest request, boolean signed) {
    if (!signed) {
      return RequestText.write(session.network(), request, null);
    }
    try (Ed25519PrivateKey key = session.keys().requestKey()) {
      return RequestText.write(session.network(), request, key);
    }
  }

  /** A new random id or one-time tag for a request. */
  public RequestToken newRequestToken() {
    return RequestToken.random(session.random());
  }

  /**
   * Reads a payment request, or an address, as a request that names nothing else.
   *
   * @param text with or without {@code sld:}; white space around it is ignored
   * @throws WalletException {@code request-invalid} for a request that is mistyped, altered, or of
   *     another network or version; {@code address-invalid} for every other text
   */
  public ReadRequest readRequest(String text) {
    String stripped = text.strip();
    RequestText.Read read;
    try {
      read = RequestText.read(session.network(), stripped);
    } catch (ProtocolException e) {
      throw new WalletException(
          RequestText.isRequest(stripped)
              ? WalletError.REQUEST_INVALID
              : WalletError.ADDRESS_INVALID,
          e.detail(),
          e);
    }
    PaymentRequest request = read.request();
    Ed25519PublicKey signer = read.signer();
    return new ReadRequest(
        request,
        signer,
        signer == null ? null : nameOf(contact -> Objects.equals(contact.requestKey(), signer)),
        nameOf(contact -> contact.address().equals(request.payee())),
        Objects.equals(request.refundTo(), session.address()));
  }

  /** The payments that this wallet received for a request; {@link #receive} brings new ones. */
  public List<ReceivedCoin> paidFor(RequestToken id) {
    return session.store().state().receivedCoins().stream()
        .filter(received -> PaymentRequest.isFor(id, received.reference()))
        .toList();
  }

  /** The contacts in the wallet's file, in the order of their names. */
  public List<Contact> contacts() {
    return session.store().state().contacts().stream()
        .sorted(Comparator.comparing(Contact::name))
        .toList();
  }

  /**
   * Adds a contact to the wallet's file. The words do not bring contacts back.
   *
   * @throws WalletException {@code contact-exists} when a contact has this name already
   * @throws ProtocolException malformed-request when there are too many contacts
   */
  public synchronized void addContact(Contact contact) {
    WalletState state = session.store().state();
    if (state.contact(contact.name()).isPresent()) {
      throw new WalletException(
          WalletError.CONTACT_EXISTS, "a contact has this name already; remove it first");
    }
    if (state.contacts().size() >= WalletState.MAX_CONTACTS) {
      throw ProtocolException.malformed(
          "a wallet has at most " + WalletState.MAX_CONTACTS + " contacts");
    }
    session.store().update(edit -> edit.contacts.add(contact));
  }

  /**
   * The contact of this name.
   *
   * @throws WalletException {@code contact-missing}
   */
  public Contact contact(String name) {
    return session
        .store()
        .state()
        .contact(name)
        .orElseThrow(
            () -> new WalletException(WalletError.CONTACT_MISSING, "no contact has this name"));
  }

  /**
   * Removes a contact.
   *
   * @throws WalletException {@code contact-missing}
   */
  public synchronized void removeContact(String name) {
    Contact contact = contact(name);
    session.store().update(edit -> edit.contacts.remove(contact));
  }

  /** The network, and the keys and services that the wallet pinned. */
  public WalletProfile profile() {
    return session.store().state().profile();
  }

  /**
   * Changes the pinned gateway, services, keys folder or prover at the owner's request. Takes
   * effect when the wallet is opened again.
   *
   * @throws WalletException {@code network-mismatch} for another network or another manifest key,
   *     or a gateway that is not among the network's signed services; {@code insecure-address}
   */
  public synchronized void moveTo(WalletProfile profile) {
    WalletProfile now = profile();
    if (!now.network().equals(profile.network())
        || !Arrays.equals(now.manifestKey(), profile.manifestKey())) {
      throw new WalletException(
          WalletError.NETWORK_MISMATCH, "a wallet stays on the network it was made for");
    }
    SignedServices.read(Path.of(profile.keysDir()), profile.manifestKey())
        .ifPresent(signed -> signed.requireListed(profile.gateway()));
    Connections.requireSecured(profile);
    session.store().update(edit -> edit.profile = profile);
  }

  /**
   * Opens a registration case, or continues the open one. Makes a proof.
   *
   * @param applicant a person or an organisation; sent to the registration service and not stored
   * @throws WalletException {@code not-supported} in an unregulated network
   */
  public synchronized RegistrationStatus register(Applicant applicant) {
    requireRegulated("nobody registers in it");
    finishRestore();
    return registrar.register(applicant);
  }

  /** Reads the state of the registration, and fetches the compliance coin once it is approved. */
  public synchronized RegistrationStatus collectRegistration() {
    requireRegulated("nobody registers in it");
    finishRestore();
    RegistrationStatus status = registrar.collect();
    session.fetchTokens();
    return status;
  }

  /** Polls the registration until it is decided or the limit has passed. */
  public RegistrationStatus awaitRegistration(Duration limit) {
    PollTimer timer = new PollTimer(limit);
    RegistrationStatus status = collectRegistration();
    while (status.stage() == RegistrationStatus.Stage.PENDING && timer.sleep(session.options())) {
      status = collectRegistration();
    }
    return status;
  }

  /** As {@link #requestMint(String, String, Amount, int)} with ordinal 0. */
  public synchronized MintId requestMint(String fundingId, String accessToken, Amount value) {
    return requestMint(fundingId, accessToken, value, 0);
  }

  /**
   * Requests a coin against a funding; two approvers of the issuer decide. The same arguments
   * request the same mint again. Makes a proof.
   *
   * @param fundingId the funding's id, from the issuer
   * @param accessToken the funding's token, from the issuer
   * @param value of the coin
   * @param ordinal 0, 1, ...: distinguishes several mints of one funding
   * @return the id for {@link #collectMint}
   * @throws WalletException {@code not-registered} in a regulated network, or {@code mint-pending}
   *     when the same mint was requested with another value
   */
  public synchronized MintId requestMint(
      String fundingId, String accessToken, Amount value, int ordinal) {
    finishRestore();
    if (session.kind() == NetworkKind.REGULATED) {
      session.store().state().requireCompliance();
    }
    session.gatewayInfo();
    return minter.request(fundingId, accessToken, value, ordinal);
  }

  /**
   * Fetches a minted coin.
   *
   * @return the minted coin; empty while approvals are missing
   * @throws WalletException {@code mint-refused}, after which the wallet forgets the mint; {@code
   *     mint-pending} when this wallet did not request the mint
   */
  public synchronized Optional<ReceivedCoin> collectMint(MintId id) {
    finishRestore();
    return minter.collect(id);
  }

  /** Polls a mint until it is approved or the limit has passed. */
  public Optional<ReceivedCoin> awaitMint(MintId id, Duration limit) {
    PollTimer timer = new PollTimer(limit);
    Optional<ReceivedCoin> received = collectMint(id);
    while (received.isEmpty() && timer.sleep(session.options())) {
      received = collectMint(id);
    }
    return received;
  }

  /** The mints that were requested and not collected. */
  public List<MintId> pendingMints() {
    return minter.pending();
  }

  /** As {@link #pay(Address, Amount, String)} without a reference. */
  public Payment pay(Address to, Amount amount) {
    return pay(to, amount, "");
  }

  /**
   * Pays. The transfer claims received coins as {@link #claim} does. If the amount needs more,
   * claims precede it, each with a proof of its own. First finishes a transfer in flight.
   *
   * @param amount more than zero
   * @param reference text for the payee and the history, at most 140 bytes of UTF-8
   * @throws ProtocolException a rule's refusal, such as insufficient-funds, over-limit-transfer,
   *     over-limit-period, over-limit-count, over-limit-held or sanctioned
   * @throws WalletException {@code foreign-mailbox} when the payee's mailbox is none of the
   *     network's; {@code transfer-in-flight} when the transfer was sent and its outcome is not
   *     known: do not pay again, {@link #settle} instead
   */
  public synchronized Payment pay(Address to, Amount amount, String reference) {
    ready();
    return payment(payments.pay(null, to, amount, reference));
  }

  /**
   * As {@link #pay(Address, Amount, String)}, once for each id, however often it is called with
   * this wallet's file: the result of the first call that succeeded is returned again.
   *
   * @param paymentId the application's name of the payment, 1 to 128 characters; nobody else sees
   *     it
   * @throws ProtocolException also idempotency-mismatch when payee, amount or reference are not
   *     those of the payment that was made under this id
   * @throws WalletException also {@code payment-burnt} when a {@link #recover} burnt the payment of
   *     this id: its payee may have been paid
   */
  public synchronized Payment pay(String paymentId, Address to, Amount amount, String reference) {
    ready();
    return payment(payments.pay(paymentId, to, amount, reference));
  }

  /**
   * Pays a request that names its amount. A request with an id is paid once, however often this is
   * called: the result of the first call that succeeded is returned again, also by a wallet that
   * was restored from its words, and after the request has expired.
   *
   * <p>With the request's tag the payee is told at once, and the gateway learns which message pays
   * this payee; {@link PaymentRequest#withoutTag} keeps that from it.
   *
   * @throws ProtocolException as {@link #pay(Address, Amount, String)}; malformed-request when the
   *     request names no amount; idempotency-mismatch when another payment was made to this payee
   *     for a request with this id
   * @throws WalletException as {@link #pay(String, Address, Amount, String)}; {@code
   *     request-expired}; {@code network-mismatch} for another currency than the network's
   */
  public synchronized Payment pay(PaymentRequest request) {
    ready();
    mailbox.useTag(request);
    return payment(payments.pay(null, request));
  }

  /** As {@link #pay(PaymentRequest)}, under the application's own name instead of the id. */
  public synchronized Payment pay(String paymentId, PaymentRequest request) {
    ready();
    mailbox.useTag(request);
    return payment(payments.pay(paymentId, request));
  }

  /**
   * What {@link #payMany} of this list would do now: which lines are open, paid, or have a payee on
   * the sanction list, and how many proofs it takes. Makes no proof; {@link #limits} says what is
   * left of the limits.
   *
   * @throws ProtocolException as {@link #payMany}, where limits or balance do not suffice
   * @throws WalletException as {@link #payMany}
   */
  public synchronized BulkPlan planMany(String paymentId, List<PaymentOrder> orders) {
    ready();
    return bulk.plan(paymentId, orders);
  }

  /** As {@link #payMany(String, List, Consumer)}, without a listener. */
  public BulkStatus payMany(String paymentId, List<PaymentOrder> orders) {
    return payMany(paymentId, orders, status -> {});
  }

  /**
   * Pays a list, eight payees with one proof where the network and this wallet's keys have it, and
   * otherwise one by one. Each line is paid once, however often this is called with the same list,
   * also after a crash and by a wallet that was restored from its words.
   *
   * <p>Limits and balance are checked for all open lines before the first proof. A payee on the
   * sanction list is not paid and its line is marked, and all others are paid.
   *
   * <p>Nothing is paid when a payee may be paid twice: when another list paid the same amount in
   * the last 21 days, or when a recover burnt transfers that may have paid lines ({@link
   * BulkPlan#doubts}). Who means it calls {@link #payManyAgain}.
   *
   * @param paymentId the application's name of the list, 1 to 128 characters; nobody else sees it
   * @param orders 1 to 1,000, of which none pays this wallet
   * @param after called after each transfer, on this thread; it must not call this wallet
   * @return with every line paid, listed or burnt
   * @throws ProtocolException as {@link #pay(Address, Amount, String)}; idempotency-mismatch when
   *     another list was begun under this id. What was paid before the failure stays paid: {@link
   *     #manyStatus} tells, and the next call goes on
   * @throws WalletException as {@link #pay(Address, Amount, String)}; {@code payments-repeated}
   *     when somebody may be paid twice
   */
  public BulkStatus payMany(
      String paymentId, List<PaymentOrder> orders, Consumer<BulkStatus> after) {
    return payMany(paymentId, orders, BulkDoubts.NONE, after);
  }

  /**
   * As {@link #payMany}, although payees may have been paid lately. Each line is paid once.
   *
   * @param confirmed the {@link BulkPlan#doubts} that {@link #planMany} had for this list and that
   *     the owner saw. When the chain shows others before a transfer, as after payments by another
   *     device, this pays nothing more
   * @throws WalletException as {@link #payMany}; {@code payments-repeated} for other doubts
   */
  public BulkStatus payManyAgain(
      String paymentId,
      List<PaymentOrder> orders,
      BulkDoubts confirmed,
      Consumer<BulkStatus> after) {
    return payMany(paymentId, orders, confirmed, after);
  }

  private synchronized BulkStatus payMany(
      String paymentId,
      List<PaymentOrder> orders,
      BulkDoubts confirmed,
      Consumer<BulkStatus> after) {
    ready();
    try {
      return bulk.pay(paymentId, orders, confirmed, after);
    } finally {
      deliverAndRedeem();
    }
  }

  /**
   * What became of a list as of this wallet's file; calls no service. Whether a payee is on the
   * sanction list it does not know.
   *
   * @throws ProtocolException idempotency-mismatch when another list was begun under this id
   */
  public BulkStatus manyStatus(String paymentId, List<PaymentOrder> orders) {
    return bulk.status(paymentId, orders);
  }

  /**
   * Pays and claims coins as {@link #claim} does, whatever the holding limit. The surplus above the
   * limit is withdrawn in the same transfer.
   */
  public synchronized Payment payWithSurplus(
      Address to, Amount amount, String reference, PayoutInstruction payout) {
    ready();
    return payment(List.of(payments.payWithSurplus(to, amount, reference, payout)));
  }

  /**
   * Pays everything that this wallet has to fresh keys, because somebody else may have its phrase
   * or an old copy of its file: what such a copy knows is spent afterwards. Limits can leave a
   * rest, which the result names. Call it again for the rest, for a call that failed, and for
   * payments that still come to this wallet's address.
   *
   * @param next the address of a wallet of another phrase; it may be registered later
   * @throws ProtocolException malformed-request for this wallet's own address; as {@link
   *     #pay(Address, Amount, String)} for refusals other than a limit
   * @throws WalletException as {@link #pay(Address, Amount, String)}
   */
  public synchronized Retirement retire(Address next) {
    return new RetirementRun(this, () -> session.store().state(), next).run();
  }

  /** Withdraws to a bank account; errors as {@link #pay(Address, Amount, String)}. */
  public synchronized Payment withdraw(Amount amount, PayoutInstruction payout) {
    ready();
    return payment(payments.withdraw(amount, payout));
  }

  /**
   * Claims received coins: up to two, or up to 16 of five or more where the network and this
   * wallet's keys have claims of 16. Empty when there is none.
   */
  public synchronized Optional<Payment> claim() {
    ready();
    return payments.claim().map(transfer -> payment(List.of(transfer)));
  }

  /** As {@link #claim}, whatever the holding limit: the surplus above it is withdrawn. */
  public synchronized Optional<Payment> claimWithSurplus(PayoutInstruction payout) {
    ready();
    return payments.claimWithSurplus(payout).map(transfer -> payment(List.of(transfer)));
  }

  /**
   * Posts the coin of a finished payment to the mailbox once more, for a payee who has not got it.
   * The payee's wallet accepts it once.
   *
   * @return whether it was posted; otherwise it waits, and the next command tries again
   * @throws ProtocolException not-found for a transfer that this wallet did not make, or that paid
   *     nobody; malformed-request for one that paid several: as many messages as payees would tell
   *     how many they are; no-quorum when its signatures have to be collected again, and too few
   *     authorities answer
   */
  public synchronized boolean resend(TxCore core) {
    finishRestore();
    return resend(core, onlyPayee(core));
  }

  /**
   * The place of the payee of a transfer to one.
   *
   * @throws ProtocolException malformed-request when it paid several
   */
  private int onlyPayee(TxCore core) {
    boolean several =
        session.store().state().transfers().stream()
            .anyMatch(made -> made.core().equals(core) && made.memo().payees().size() > 1);
    if (several) {
      throw ProtocolException.malformed("the transfer paid several: say which payee is meant");
    }
    return 0;
  }

  /**
   * As {@link #resend(TxCore)}, for one of several payees.
   *
   * @param payee the place of the payee in the transfer, from 0
   */
  public synchronized boolean resend(TxCore core, int payee) {
    finishRestore();
    session.gatewayInfo();
    new PaymentResender(session).prepare(core, payee);
    return mailbox.deliver();
  }

  /**
   * The parcel of a finished payment as text, for a payee who is near and has no network: by NFC,
   * QR code or file. Nobody else can open it, and the payee's wallet accepts the coin once.
   *
   * @throws ProtocolException as {@link #resend}
   */
  public synchronized String parcel(TxCore core) {
    finishRestore();
    return parcel(core, onlyPayee(core));
  }

  /**
   * As {@link #parcel(TxCore)}, for one of several payees.
   *
   * @param payee the place of the payee in the transfer, from 0
   */
  public synchronized String parcel(TxCore core, int payee) {
    finishRestore();
    return ParcelText.write(new PaymentResender(session).blob(core, payee));
  }

  /**
   * Accepts the {@link #parcel} that a payer hands over. Calls no service, if no restore has to be
   * finished: the signature of the network makes the coin this wallet's.
   *
   * @return the coin; empty when this wallet has it already
   * @throws WalletException {@code parcel-invalid} for a damaged text, a parcel for somebody else,
   *     or a coin that the network did not sign
   */
  public synchronized Optional<ReceivedCoin> acceptParcel(String text) {
    byte[] blob = ParcelText.read(text);
    finishRestore();
    return mailbox.accept(blob);
  }

  /**
   * The limits in force and what is left of them. {@link #pay} refuses what is above them before it
   * makes a proof.
   *
   * @throws WalletException {@code not-registered}; {@code not-supported} in an unregulated
   *     network; or those of fetching the rules
   */
  public synchronized Limits limits() {
    requireRegulated("it has no limits");
    finishRestore();
    ComplianceCoin before = session.store().state().requireCompliance().coin();
    session.gatewayInfo();
    Policy policy = session.rules().newest().policy();
    // another device may have paid in a newer period than a gateway that lags behind knows
    Period period =
        before.period().compareTo(policy.period()) > 0 ? before.period() : policy.period();
    return new Limits(
        period,
        policy.maxPerTransfer(),
        policy.maxPerPeriod(),
        LimitRules.sentAfter(before, period, Amount.ZERO),
        policy.maxTransfersPerPeriod(),
        LimitRules.countAfter(before, period) - 1,
        policy.maxHeld(),
        before.held());
  }

  /**
   * Reads the mailbox and returns the accepted coins. Posts what this wallet had posted before and
   * the mailbox has lost.
   *
   * <p>Where the network has replicas of the mailbox, the wallet learns at once what came up to
   * five minutes ago, and asks for the bodies at times that do not depend on what came: for one
   * when it was just opened, and for one about every hour. {@link #mail} says what waits.
   *
   * @throws WalletException also {@code mailbox-stale} when no list of the last hour is signed by
   *     enough authorities: newer mail may be withheld. {@link #receiveWhole} reads without lists
   */
  public synchronized List<ReceivedCoin> receive() {
    return receive(mailbox::receiveDue);
  }

  /**
   * As {@link #receive}, of all messages for readers of this wallet's bucket since they were last
   * read whole: whatever waits comes at once. That may be as many as came in 90 days. It shows the
   * gateway that this reader does not wait, and not which messages are its own.
   */
  public synchronized List<ReceivedCoin> receiveWhole() {
    return receive(mailbox::receive);
  }

  /** How far {@link #receive} has read; calls no service. */
  public MailStatus mail() {
    return MailStatus.of(session.store().state(), session.privateMailbox().isPresent());
  }

  private List<ReceivedCoin> receive(Supplier<MailboxClient.Mail> reading) {
    finishRestore();
    session.gatewayInfo();
    List<ReceivedCoin> received = reading.get().receivedCoins();
    if (walker != null) {
      received = walker.withoutChange(received);
    }
    mailbox.deliver();
    session.fetchTokens();
    return received;
  }

  /**
   * Waits for the payment of a request with this tag, or for any other, and returns the accepted
   * coins. The payment shows within a second of its post. Reads the mailbox as {@link #receive()}
   * does, too, every ten seconds; with private queries that brings a payment without the tag only
   * when a query is due.
   *
   * @param patience the longest wait, up to a day
   * @return empty when nothing came in this time
   */
  public List<ReceivedCoin> receive(RequestToken tag, Duration patience) {
    return new TagWatch(session.gateway(), tag)
        .await(Till.requirePatience(patience), this::acceptTagged, this::receive);
  }

  private synchronized List<ReceivedCoin> acceptTagged(List<byte[]> blobs) {
    finishRestore();
    return mailbox.acceptTagged(blobs);
  }

  /**
   * Finishes the transfer in flight, if there is one. Then delivers waiting coins and requests
   * waiting payouts, also when the transfer cannot be finished.
   *
   * @return the finished transfer; empty when none was in flight or it was given up
   * @throws ProtocolException the refusal of a transfer that stays in flight
   * @throws WalletException {@code transfer-in-flight} when the outcome is still not known
   */
  public synchronized Optional<FinishedTransfer> settle() {
    try {
      finishRestore();
      return payments.settle();
    } finally {
      deliverAndRedeem();
    }
  }

  /**
   * Frees a locked account: two devices of one phrase, or an old copy of the file, made cores that
   * keep each other from completing. First sends again what can still complete. Otherwise burns
   * those cores and takes what is left if the largest branch of them was paid, with a proof for
   * each two cores, made in this process. Does nothing to an account that is not locked.
   *
   * <p>What is burnt is lost to this wallet although at most one branch completes, and the payee of
   * a burnt payment may still be paid: ask the payee before you pay again.
   *
   * <p>Burns nothing that may have completed as long as no authority lies.
   *
   * @throws ProtocolException no-quorum when too few authorities answer to tell whether a payment
   *     has completed; asking again, or another gateway, may help
   * @throws WalletException {@code recover-impossible} when no recover completes: more than 16
   *     cores, or authorities hold what this wallet cannot find; {@code not-supported} in an
   *     unregulated network
   */
  public synchronized RecoverService.Recovered recover() {
    return recover(false);
  }

  /**
   * As {@link #recover()}, for an owner who waits no longer for authorities that do not answer.
   *
   * @param evenIfPaid whether payments are burnt, too, of which too few authorities answer to tell
   *     whether they have completed
   */
  public synchronized RecoverService.Recovered recover(boolean evenIfPaid) {
    requireRegulated("no account can be locked in it");
    session.gatewayInfo();
    restoreUpToALock();
    RecoverService.Recovered recovered = Objects.requireNonNull(recoveries).recover(evenIfPaid);
    finishRestore();
    deliverAndRedeem();
    return recovered;
  }

  /** The balance as of this wallet's file. */
  public Balance balance() {
    WalletState state = session.store().state();
    return new Balance(state.held(), state.unclaimed(), state.coins().size());
  }

  /** The history, oldest first. It is stored in this wallet only. */
  public List<HistoryItem> history() {
    return HistoryItem.of(session.store().state());
  }

  /**
   * A receipt of a transfer that this wallet made, for anybody: 2f+1 authorities' votes for it, its
   * amount and its payee. It reveals this one transfer.
   *
   * @throws ProtocolException not-found for a transfer that this wallet did not make;
   *     malformed-request for one that paid several; no-quorum when too few authorities confirm it
   *     now
   */
  public synchronized PaymentReceipt receipt(TxCore core) {
    finishRestore();
    return receipt(core, onlyPayee(core));
  }

  /**
   * As {@link #receipt(TxCore)}, of the payment to one of several payees. It reveals nothing of the
   * others.
   *
   * @param payee the place of the payee in the transfer, from 0
   */
  public synchronized PaymentReceipt receipt(TxCore core, int payee) {
    finishRestore();
    return new ReceiptMaker(session).receipt(core, payee);
  }

  /** The wallet's state as of its file; calls no service. */
  public WalletStatus status() {
    WalletState state = session.store().state();
    SignedComplianceCoin compliance = state.compliance();
    return new WalletStatus(
        stage(state),
        state.restoring(),
        balance(),
        compliance == null ? new Period(0) : compliance.coin().period(),
        compliance == null ? Amount.ZERO : compliance.coin().sent(),
        compliance == null ? 0 : compliance.coin().count(),
        state.pending() != null,
        state.mints().size(),
        state.waitingDeliveries(),
        state.redemptions().size(),
        version(state.policyMark()),
        version(state.checkpointMark()),
        state.tokens().size());
  }

  @Override
  public synchronized void close() {
    session.close();
    if (ownPlatform != null) {
      ownPlatform.close();
    }
  }

  private Payment payment(List<FinishedTransfer> transfers) {
    return Payment.of(transfers, mailbox.deliver(), redeemer.redeem());
  }

  /** Finishes what has to be finished before a new transfer. */
  private void ready() {
    finishRestore();
    payments.settle();
  }

  private void finishRestore() {
    if (session.store().state().restoring()) {
      restoring.restore();
    }
  }

  private void requireRegulated(String why) {
    if (session.kind() != NetworkKind.REGULATED) {
      throw new WalletException(WalletError.NOT_SUPPORTED, "the network is unregulated: " + why);
    }
  }

  /** A restore cannot end before a locked account is free. */
  private void restoreUpToALock() {
    try {
      finishRestore();
    } catch (ProtocolException e) {
      if (session.store().state().compliance() == null) {
        throw e;
      }
    } catch (WalletException e) {
      if (e.error() != WalletError.TRANSFER_IN_FLIGHT && e.error() != WalletError.PAYMENT_BURNT) {
        throw e;
      }
    }
  }

  private void deliverAndRedeem() {
    mailbox.deliver();
    redeemer.redeem();
  }

  private @Nullable String nameOf(Predicate<Contact> wanted) {
    return contacts().stream().filter(wanted).map(Contact::name).findFirst().orElse(null);
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
