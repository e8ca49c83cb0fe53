package io.solidus.wallet.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Amount;
import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.MintId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.prover.KeyClass;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.Person;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.model.PayoutInstruction;
import io.solidus.wallet.model.RegistrationStatus;
import io.solidus.wallet.model.ServicePins;
import io.solidus.wallet.model.WalletProfile;
import io.solidus.wallet.session.StubProofSystem;
import io.solidus.wallet.session.WalletOptions;
import io.solidus.wallet.session.WalletPlatform;
import io.solidus.wallet.store.PassphraseCost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A fake network and wallets on it, for one test. */
public final class WalletBench implements AutoCloseable {
  public static final char[] PASSPHRASE = "a passphrase of a test".toCharArray();
  static final PayoutInstruction ACCOUNT =
      new PayoutInstruction("Ada Lovelace", "DE02120300000000202051", "rent");
  public static final WalletOptions OPTIONS =
      WalletOptions.defaults()
          .withMaxMailboxDelay(Duration.ZERO)
          .withRetryPause(Duration.ofMillis(10))
          .withPatience(Duration.ofSeconds(20))
          .withPassphraseCost(new PassphraseCost(8, 1, 1));

  /** Gives up at once when too few authorities sign. */
  static final WalletOptions IMPATIENT = OPTIONS.withPatience(Duration.ofMillis(1));

  private final TestNetwork network;
  public WalletPlatform platform;
  final FakeGateway gateway;

  /** Of wallets that are made or opened from now on. */
  WalletOptions options = OPTIONS;

  private final Path folder;
  private final List<Wallet> open = new ArrayList<>();

  /**
   * A network whose proofs are those of {@link StubProofSystem}.
   *
   * @param folder for wallet files
   */
  public WalletBench(Path folder) {
    this(folder, TestNetwork.get());
  }

  WalletBench(Path folder, TestNetwork network) {
    this.folder = folder;
    this.network = network;
    this.platform = network.withStubProofs;
    this.gateway = new FakeGateway(network, platform);
  }

  /**
   * Makes and verifies real proofs from now on: in wallets that are opened after this call, in the
   * prover, and in the authorities.
   */
  void useRealProofs() {
    platform = network.platform;
    gateway.use(platform);
  }

  public static Amount amount(long minor) {
    return new Amount(minor);
  }

  WalletProfile profile() {
    TestCommittee committee = network.committee;
    return new WalletProfile(
        TestCommittee.NETWORK,
        committee.kind(),
        new CurrencyCode("EUR"),
        committee.manifestKey(),
        Set.of(KeyClass.DEVELOPMENT),
        gateway.uri(),
        new ServicePins(gateway.uri(), gateway.uri(), gateway.uri(), gateway.issuerKey.publicKey()),
        committee.keysDir().toString(),
        null);
  }

  public Wallet create(String name) {
    try (SeedPhrase phrase = SeedPhrase.generate(new SecureRandom())) {
      return create(name, phrase, profile());
    }
  }

  Wallet create(String name, SeedPhrase phrase, WalletProfile profile) {
    return keep(Wallet.create(path(name), PASSPHRASE, phrase, profile, platform, options));
  }

  Wallet registered(String name) {
    return registered(create(name));
  }

  Wallet funded(String name, String words, long... minor) {
    Wallet wallet = registered(restored(name, words));
    fund(wallet, minor);
    return wallet;
  }

  static Wallet registered(Wallet wallet) {
    RegistrationStatus status =
        wallet.register(
            new Person(
                "Ada",
                "Lovelace",
                LocalDate.of(1990, 12, 10),
                "GB",
                "X" + wallet.addressText().hashCode()));
    if (status.stage() != RegistrationStatus.Stage.REGISTERED) {
      throw new AssertionError(status.stage());
    }
    return wallet;
  }

  public Wallet funded(String name, long... minor) {
    Wallet wallet = registered(name);
    fund(wallet, minor);
    return wallet;
  }

  /** Mints one coin for each amount. */
  void fund(Wallet wallet, long... minor) {
    for (long value : minor) {
      MintId id =
          wallet.requestMint(
              "funding-" + value + "-" + gateway.mailbox().size(), "token", amount(value));
      gateway.mint.approveAll();
      assertThat(wallet.collectMint(id)).isPresent();
    }
  }

  public Wallet reopen(String name) {
    return reopen(name, options);
  }

  Wallet reopen(String name, WalletOptions options) {
    return keep(Wallet.open(path(name), PASSPHRASE, platform, options));
  }

  /** A wallet of this phrase in a new file. */
  Wallet restored(String name, String words) {
    try (SeedPhrase phrase = SeedPhrase.parse(words)) {
      return create(name, phrase, profile());
    }
  }

  /** A new file that is marked as one to restore. */
  Wallet toRestore(String name, String words) {
    try (SeedPhrase phrase = SeedPhrase.parse(words)) {
      return keep(
          Wallet.createToRestore(path(name), PASSPHRASE, phrase, profile(), platform, options));
    }
  }

  static String newPhrase() {
    try (SeedPhrase phrase = SeedPhrase.generate(new SecureRandom())) {
      return phrase.words();
    }
  }

  public Path path(String name) {
    return folder.resolve(name + ".sld");
  }

  void copy(String from, String to) {
    try {
      Files.copy(path(from), path(to), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Files "phone" and "laptop" of these words, with 1,300 claimed and a coin of 5,000. */
  void twoDevices(String words) {
    Wallet phone = funded("phone", words, 1_000, 300);
    phone.claim();
    fund(phone, 5_000);
    closeWallet(phone);
    copy("phone", "laptop");
  }

  /** Opens a file; the wallet has seen that its compliance coin is free, and does not ask again. */
  Wallet device(String name, Wallet payee) {
    Wallet device = reopen(name, IMPATIENT);
    haveAsked(device, payee);
    return device;
  }

  /** The part of the mailbox that a wallet reads in a network with as many as there can be. */
  static MailboxBucket bucket(Wallet wallet) {
    return MailboxBucket.of(TestCommittee.NETWORK, wallet.address().apk(), MailboxBucket.MAX_BITS);
  }

  /** A new wallet that reads another part of the mailbox. */
  Wallet inAnotherBucket(Wallet other) {
    return IntStream.range(0, 100)
        .mapToObj(i -> create("bob" + i))
        .filter(wallet -> !bucket(wallet).equals(bucket(other)))
        .findFirst()
        .orElseThrow();
  }

  /** Begins a payment above the limit, which asks for the compliance coin and sends nothing. */
  void haveAsked(Wallet device, Wallet payee) {
    refused(
        RejectionCode.OVER_LIMIT_TRANSFER, () -> device.pay(payee.address(), amount(10_000_000)));
  }

  /** Pays; the gateway delivers it to these authorities only, fewer than a quorum. */
  void payAt(Wallet device, Wallet payee, long minor, Integer... authorities) {
    gateway.faults.onTransfer = request -> only(authorities);
    refused(RejectionCode.NO_QUORUM, () -> device.pay(payee.address(), amount(minor)));
    gateway.faults.onTransfer = null;
    only(1, 2, 3, 4);
  }

  /** The other authorities do not answer. */
  void only(Integer... authorities) {
    gateway
        .committee
        .authorities()
        .forEach(one -> one.up(List.of(authorities).contains(one.index())));
  }

  static void refused(RejectionCode code, ThrowingCallable step) {
    assertThat(catchThrowableOfType(ProtocolException.class, step).code()).isEqualTo(code);
  }

  static void refused(WalletError error, ThrowingCallable step) {
    assertThat(catchThrowableOfType(WalletException.class, step).error()).isEqualTo(error);
  }

  public void closeWallet(Wallet wallet) {
    open.remove(wallet);
    wallet.close();
  }

  @Override
  public void close() {
    open.forEach(Wallet::close);
    gateway.close();
  }

  private Wallet keep(Wallet wallet) {
    open.add(wallet);
    return wallet;
  }
}
