package io.solidus.wallet.session;

import io.solidus.protocol.Address;
import io.solidus.protocol.Apk;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.Family;
import io.solidus.protocol.MailReplica;
import io.solidus.protocol.Mailbox;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Spec;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.Connections;
import io.solidus.wallet.gateway.GatewayClient;
import io.solidus.wallet.gateway.GatewayInfo;
import io.solidus.wallet.gateway.IssuanceClient;
import io.solidus.wallet.gateway.RegistrationClient;
import io.solidus.wallet.gateway.RestClient;
import io.solidus.wallet.gateway.ServedManifest;
import io.solidus.wallet.keys.RandomScalars;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.keys.WalletKeys;
import io.solidus.wallet.mailbox.ParcelCipher;
import io.solidus.wallet.mailbox.PrivateMailbox;
import io.solidus.wallet.model.ServicePins;
import io.solidus.wallet.model.WalletProfile;
import io.solidus.wallet.proving.DelegatedProofs;
import io.solidus.wallet.proving.ProofSource;
import io.solidus.wallet.store.WalletStore;
import io.solidus.wallet.transfer.CoinSelection;
import io.solidus.wallet.transfer.EvidenceMaker;
import io.solidus.wallet.transfer.RecoverFactory;
import io.solidus.wallet.transfer.SignatureCollector;
import io.solidus.wallet.transfer.TransferFactory;
import io.solidus.wallet.transfer.UnregulatedFactory;
import io.solidus.wallet.trust.RulesClient;
import io.solidus.wallet.trust.SignedServices;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An open wallet: its file, its keys, and the clients that its operations share. Not thread-safe.
 */
public final class WalletSession implements AutoCloseable {
  private final WalletStore store;
  private final WalletPlatform platform;
  private final WalletOptions options;
  private final WalletKeys keys;
  private final HttpClient http;
  private final Tokens tokens;
  private final GatewayClient gateway;
  private final ProofSource proofs;
  private final SecureRandom random = new SecureRandom();
  private final RandomScalars scalars = new RandomScalars(random);
  private final TransferFactory factory;
  private final UnregulatedFactory unregulated;
  private final RecoverFactory recovers;
  private final SignatureCollector collector;
  private final ParcelCipher parcels;
  private final RulesClient rules;
  private final int mailboxBits;
  private final boolean onlyDevice;
  private final Optional<PrivateMailbox> privateMailbox;
  private final Set<String> mailboxHosts;
  private @Nullable GatewayInfo info;
  private @Nullable Set<Family> taken;

  /**
   * Opens a session on an open file.
   *
   * @param cacheFolder for sanction lists; null for no cache
   */
  public WalletSession(
      WalletStore store,
      WalletPlatform platform,
      WalletOptions options,
      @Nullable Path cacheFolder) {
    WalletProfile profile = SignedServices.refresh(store);
    if (!platform.keys().network().equals(profile.network())) {
      throw new WalletException(
          WalletError.NETWORK_MISMATCH, "the wallet and the keys belong to different networks");
    }
    this.store = store;
    this.platform = platform;
    this.options = options;
    this.onlyDevice = options.onlyDevice();
    this.mailboxBits = SignedServices.mailboxBits(profile, options.mailboxBits());
    this.mailboxHosts = SignedServices.mailboxHosts(profile);
    try (SeedPhrase phrase = store.seedPhrase()) {
      this.keys = WalletKeys.derive(phrase, profile.network());
    }
    this.http =
        Connections.client(options.httpTimeout(), profile.services().tlsKeys(), options.proxy());
    this.tokens =
        new Tokens(
            store,
            keys,
            profile.network(),
            platform.committee(),
            profile.gateway().getHost(),
            options.clock(),
            random);
    this.gateway = GatewayAccess.open(http, profile, options, tokens);
    EncryptionKey proverKey = profile.proverKey();
    this.proofs =
        proverKey == null
            ? platform.localProofs()
            : new DelegatedProofs(profile.network(), proverKey, gateway);
    this.factory = new TransferFactory(profile.network(), platform.suite(), keys);
    this.unregulated = new UnregulatedFactory(profile.network(), platform.suite(), keys, factory);
    this.recovers =
        new RecoverFactory(
            platform.suite(),
            keys,
            factory,
            () -> circuitVersion(Family.RECOVER),
            scalars,
            platform::proveRecover);
    this.collector =
        new SignatureCollector(platform.committee(), platform.suite(), options.clock());
    this.parcels = new ParcelCipher(profile.network());
    this.rules = new RulesClient(platform.committee(), gateway, store, cacheFolder);
    this.privateMailbox =
        privateMailbox(SignedServices.replicas(profile, options.replicas()), platform.committee());
  }

  private Optional<PrivateMailbox> privateMailbox(List<MailReplica> replicas, Committee committee) {
    if (replicas.isEmpty()) {
      return Optional.empty();
    }
    if (replicas.size() != committee.n()) {
      throw new WalletException(
          WalletError.MANIFEST_UNTRUSTED,
          "the signed services name the replicas of another number of authorities");
    }
    return Optional.of(
        new PrivateMailbox(
            network(),
            committee.quorum(),
            committee.weakQuorum(),
            replicas,
            bucket(),
            keys.encryptionKey(),
            random));
  }

  public WalletStore store() {
    return store;
  }

  public WalletPlatform platform() {
    return platform;
  }

  public WalletOptions options() {
    return options;
  }

  public NetworkId network() {
    return store.state().profile().network();
  }

  public Address address() {
    return new Address(factory.apk(), keys.encryptionKey().publicKey());
  }

  /**
   * Whether readers of this mailbox get what is posted at this wallet's gateway: it is the
   * network's, or that of another of its gateways, as the signed services say.
   */
  public boolean reaches(Mailbox mailbox) {
    return !mailbox.isForeign() || mailboxHosts.contains(mailbox.host());
  }

  /** The bucket of the mailbox in which this wallet looks for its messages. */
  public MailboxBucket bucket() {
    return bucketOf(factory.apk());
  }

  /** The bucket in which the wallet of this address looks for its messages. */
  public MailboxBucket bucketOf(Apk payee) {
    return MailboxBucket.of(network(), payee, mailboxBits);
  }

  /** The reader of a network whose services name replicas of the mailbox. */
  public Optional<PrivateMailbox> privateMailbox() {
    return privateMailbox;
  }

  public GatewayClient gateway() {
    return gateway;
  }

  /**
   * The gateway's description, fetched once in a session.
   *
   * @throws WalletException {@code network-mismatch} or {@code manifest-untrusted} when the gateway
   *     serves another network or another network's keys
   */
  public GatewayInfo gatewayInfo() {
    if (info == null) {
      GatewayInfo fetched = gateway.info();
      WalletProfile profile = store.state().profile();
      if (!fetched.network().equals(profile.network()) || fetched.kind() != profile.kind()) {
        throw new WalletException(
            WalletError.NETWORK_MISMATCH,
            "the gateway serves network "
                + fetched.network()
                + ", the wallet belongs to "
                + profile.network());
      }
      requireSameNetworksKeys(profile);
      info = fetched;
    }
    return info;
  }

  /**
   * Requires this wallet's manifest, one before it, or one after it. A refresh of the shares makes
   * another manifest of the same key, and wallets and gateways do not get it at one moment (K-08).
   */
  private void requireSameNetworksKeys(WalletProfile profile) {
    ServedManifest served = gateway.manifest();
    Digest32 digest = served.digest();
    Digest32 own = platform.keys().manifestDigest();
    if (!digest.equals(own)
        && platform.committee().former().stream().noneMatch(one -> digest.equals(one.manifest()))
        && !served.follows(own, new Ed25519PublicKey(profile.manifestKey()))) {
      throw new WalletException(
          WalletError.MANIFEST_UNTRUSTED,
          "the gateway serves the keys of another network than this wallet verified");
    }
  }

  /** Fetches the day's blind tokens when it is time; a failure leaves the wallet without them. */
  public void fetchTokens() {
    tokens.fetchIfDue(gateway, this::registration);
  }

  /** The pinned registration service, the only service that receives the owner's identity. */
  public RegistrationClient registration() {
    return new RegistrationClient(service(services().registration(), "the registration service"));
  }

  /** The pinned issuance service, the only one that receives a funding's token. */
  public IssuanceClient issuance() {
    return new IssuanceClient(service(services().issuance(), "the issuance service"));
  }

  /** The pinned services; a gateway cannot change them. */
  public ServicePins services() {
    return store.state().profile().services();
  }

  public WalletKeys keys() {
    return keys;
  }

  public TransferFactory factory() {
    return factory;
  }

  /** The network's kind, as the signed key manifest states it. */
  public NetworkKind kind() {
    return platform.keys().kind();
  }

  public UnregulatedFactory unregulated() {
    return unregulated;
  }

  public RecoverFactory recovers() {
    return recovers;
  }

  public SignatureCollector collector() {
    return collector;
  }

  public ParcelCipher parcels() {
    return parcels;
  }

  public RulesClient rules() {
    return rules;
  }

  public ProofSource proofs() {
    return proofs;
  }

  public RandomScalars scalars() {
    return scalars;
  }

  public SecureRandom random() {
    return random;
  }

  public int circuitVersion(Family family) {
    return platform.keys().circuitVersion(family);
  }

  /**
   * What one transfer may claim: 16 coins where this wallet has the keys of such claims and makes
   * its proofs itself, the gateway says that the network takes them, and the owner that no other
   * device uses the wallet's words.
   */
  @Spec("W-49")
  public CoinSelection.Claims claims() {
    boolean own =
        onlyDevice
            && store.state().profile().proverKey() == null
            && platform.proves(Family.CLAIM_16);
    return own && takenByGateway().contains(Family.CLAIM_16)
        ? CoinSelection.Claims.SIXTEEN
        : CoinSelection.Claims.TWO;
  }

  /**
   * How many payees one transfer may have: eight where this wallet has the keys of such transfers
   * and makes its proofs itself, and the gateway says that the network takes them.
   */
  @Spec("W-51")
  public int payees() {
    int own = ownPayees();
    return own > Family.TRANSFER.payments() && !takenByGateway().contains(Family.PAY_8)
        ? Family.TRANSFER.payments()
        : own;
  }

  /** As {@link #payees}, whatever the gateway says. */
  int ownPayees() {
    boolean own =
        kind() == NetworkKind.REGULATED
            && store.state().profile().proverKey() == null
            && platform.proves(Family.PAY_8);
    return own ? Family.PAY_8.payments() : Family.TRANSFER.payments();
  }

  /**
   * The families that the gateway takes, of the versions of this wallet; asked once in a session.
   */
  private Set<Family> takenByGateway() {
    if (taken == null) {
      taken = gateway.families(platform.keys().circuits());
    }
    return taken;
  }

  public EvidenceMaker evidence() {
    return new EvidenceMaker(
        platform.committee(),
        this::circuitVersion,
        platform.suite(),
        platform.proofCheck(),
        keys,
        proofs,
        scalars);
  }

  @Override
  public void close() {
    rules.close();
    keys.close();
    http.shutdownNow();
    store.close();
  }

  private RestClient service(URI base, String name) {
    return new RestClient(http, base, name, options.httpTimeout());
  }
}
