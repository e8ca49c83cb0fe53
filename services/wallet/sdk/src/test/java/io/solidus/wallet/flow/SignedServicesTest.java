package io.solidus.wallet.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Address;
import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.protocol.EncryptionKey;
import io.solidus.protocol.MailReplica;
import io.solidus.protocol.Mailbox;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.NetworkServices;
import io.solidus.protocol.NoteSigner;
import io.solidus.protocol.ObliviousKey;
import io.solidus.protocol.Relay;
import io.solidus.protocol.SignedNote;
import io.solidus.protocol.Spec;
import io.solidus.prover.KeyClass;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.model.ServicePins;
import io.solidus.wallet.model.WalletProfile;
import io.solidus.wallet.trust.SignedServices;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A wallet of a real network uses the services that the manifest's key signed, and no others. */
@Tag("process")
@Spec({"W-11", "F-30"})
class SignedServicesTest {
  private static final Set<KeyClass> REAL = Set.of(KeyClass.CEREMONY);
  private static final Set<KeyClass> DEVELOPMENT = Set.of(KeyClass.CEREMONY, KeyClass.DEVELOPMENT);
  private static final URI GATEWAY = URI.create("https://pay.example");
  private static final URI SECOND = URI.create("https://pay-too.example");
  private static final URI THIRD = URI.create("https://pay-third.example");
  private static final URI OFFICE = URI.create("https://office.example");
  private static final EncryptionKey KEY =
      new EncryptionKey(
          new byte[] {
            9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 0
          });

  @TempDir private Path folder;
  private Path keys;
  private WalletBench bench;
  private final Ed25519PrivateKey manifestKey = Ed25519PrivateKey.fromSeed(new byte[32]);

  @BeforeEach
  void open() throws IOException {
    keys = Files.createDirectory(folder.resolve("keys"));
    bench = new WalletBench(folder);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void aNewWalletTakesCurrencyAddressesAndKeysFromTheNote() throws IOException {
    write(services(1, "KWD", GATEWAY, SECOND), manifestKey);
    writeManifest("regulated", manifestKey);
    WalletProfile profile = signed().profile(keys, manifestKey.publicKey().bytes(), REAL, null);
    assertThat(profile.currency()).isEqualTo(new CurrencyCode("KWD"));
    assertThat(profile.gateway()).isEqualTo(GATEWAY);
    assertThat(profile.services().registration()).isEqualTo(OFFICE);
    assertThat(profile.services().redemptionKey()).isEqualTo(KEY);
    assertThat(profile.services().tlsKeys()).containsExactly(Digest32.sha256());
    assertThat(made(profile).profile()).isEqualTo(profile);
    assertRefused(
        WalletError.NETWORK_MISMATCH,
        () ->
            signed()
                .profile(
                    keys,
                    manifestKey.publicKey().bytes(),
                    REAL,
                    URI.create("https://elsewhere.example")));
  }

  /** A gateway could say that a network has no limits. */
  @Test
  @Spec("W-15")
  void aNewWalletTakesTheKindOfNetworkFromTheSignedManifest() throws IOException {
    write(services(1, "EUR", GATEWAY), manifestKey);
    byte[] pinned = manifestKey.publicKey().bytes();
    assertRefused(WalletError.MANIFEST_UNTRUSTED, () -> signed().profile(keys, pinned, REAL, null));
    writeManifest("unregulated", manifestKey);
    assertThat(signed().profile(keys, pinned, REAL, null).kind())
        .isEqualTo(NetworkKind.UNREGULATED);
    writeManifest("regulated", manifestKey);
    assertThat(signed().profile(keys, pinned, REAL, null).kind()).isEqualTo(NetworkKind.REGULATED);
    writeManifest("both", manifestKey);
    assertRefused(WalletError.MANIFEST_UNTRUSTED, () -> signed().profile(keys, pinned, REAL, null));
    writeManifest("unregulated", Ed25519PrivateKey.fromSeed(KEY.bytes()));
    assertRefused(WalletError.MANIFEST_UNTRUSTED, () -> signed().profile(keys, pinned, REAL, null));
  }

  private void writeManifest(String kind, Ed25519PrivateKey key) {
    byte[] manifest = ("{\"kind\": \"" + kind + "\"}").getBytes(StandardCharsets.UTF_8);
    write(keys.resolve("manifest.json"), new String(manifest, StandardCharsets.UTF_8));
    write(keys.resolve("manifest.sig"), HexFormat.of().formatHex(key.sign(manifest)));
  }

  /** The file of a wallet can name a service in clear text, or one of a thief. */
  @Test
  void theNoteReplacesWhatAWalletsFileNames() throws IOException {
    write(services(1, "EUR", GATEWAY, SECOND), manifestKey);
    Wallet wallet = made(profile(REAL, URI.create("http://127.0.0.1:1"), "JPY"));
    assertThat(wallet.profile().gateway()).isEqualTo(GATEWAY);
    assertThat(wallet.profile().currency()).isEqualTo(new CurrencyCode("EUR"));
    assertThat(wallet.profile().services().issuance()).isEqualTo(OFFICE);
    wallet.moveTo(wallet.profile().withGateway(SECOND));
    assertRefused(
        WalletError.NETWORK_MISMATCH,
        () -> wallet.moveTo(wallet.profile().withGateway(URI.create("https://elsewhere.example"))));
    bench.closeWallet(wallet);
    assertThat(bench.reopen("wallet").profile().gateway()).isEqualTo(SECOND);
  }

  /** What is posted at one of them, readers of the others get; of another host nothing is known. */
  @Test
  @Spec("F-75")
  void anAddressMayNameTheHostOfAnyGatewayOfTheNetwork() throws IOException {
    write(services(1, "EUR", GATEWAY, SECOND), manifestKey);
    Wallet wallet = made(profile(REAL, GATEWAY, "EUR"));
    for (URI listed : List.of(GATEWAY, SECOND)) {
      assertRefused(WalletError.NOT_REGISTERED, () -> pay(wallet, listed.getHost()));
    }
    assertRefused(WalletError.FOREIGN_MAILBOX, () -> pay(wallet, "elsewhere.example"));
    assertRefused(WalletError.FOREIGN_MAILBOX, () -> pay(wallet, "x." + SECOND.getHost()));
  }

  private static void pay(Wallet wallet, String host) {
    Address own = wallet.address();
    wallet.pay(
        new Address(own.apk(), own.encryptionKey(), new Mailbox(host)), WalletBench.amount(1));
  }

  @Test
  void aWalletOfARealNetworkHasSignedServices() {
    assertRefused(WalletError.MANIFEST_UNTRUSTED, () -> made(profile(REAL, GATEWAY, "EUR")));
    assertThat(made(profile(DEVELOPMENT, GATEWAY, "EUR")).profile().gateway()).isEqualTo(GATEWAY);
  }

  @Test
  void plainHttpIsForThisMachineAndDevelopment() {
    assertRefused(
        WalletError.INSECURE_ADDRESS,
        () -> made(profile(DEVELOPMENT, URI.create("http://gateway.example"), "EUR")));
    Wallet wallet = bench.create("moved");
    assertRefused(
        WalletError.INSECURE_ADDRESS,
        () -> wallet.moveTo(wallet.profile().withGateway(URI.create("http://gateway.example"))));
    bench.closeWallet(wallet);
    assertThat(bench.reopen("moved").profile().gateway()).isEqualTo(bench.gateway.uri());
  }

  /** The test of the ceremony program makes the same note. */
  @Test
  void readsTheCeremonyProgramsNote() throws IOException {
    Files.writeString(
        keys.resolve("services.note"),
        services(1, "EUR", GATEWAY, SECOND).toNoteText(TestCommittee.NETWORK)
            + "\n\u2014 solidus-services "
            + "ntbjbPHxF+wGYU3eSsG5d0NeKCRLgWdMQDJoVTKkEQceN7B9x7fseOS4083OhKb8qJlflDLHvad0Qx+vHAZNh+vxbQg=\n");
    assertThat(signed().services()).isEqualTo(services(1, "EUR", GATEWAY, SECOND));
  }

  @Test
  void anotherKeysNoteIsRefused() throws IOException {
    write(
        services(1, "EUR", GATEWAY),
        Ed25519PrivateKey.fromSeed(
            new byte[] {
              1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
              0, 0, 0
            }));
    assertRefused(WalletError.MANIFEST_UNTRUSTED, () -> made(profile(REAL, GATEWAY, "EUR")));
    assertRefused(WalletError.MANIFEST_UNTRUSTED, this::signed);
  }

  @Test
  void aChangedNoteIsRefused() throws IOException {
    write(services(1, "EUR", GATEWAY), manifestKey);
    Path file = keys.resolve("services.note");
    String note = Files.readString(file);
    Map<String, String> changes =
        Map.of("EUR", "JPY", "pay.example", "bad.example", "version: 1", "version: 2");
    changes.forEach((from, to) -> {
      assertThat(note).contains(from);
      write(file, note.replace(from, to));
      assertRefused(WalletError.MANIFEST_UNTRUSTED, this::signed);
    });
    Files.writeString(file, note);
    assertThat(signed().network()).isEqualTo(TestCommittee.NETWORK);
  }

  @Test
  void anOlderNoteAndNoneAreRefusedOnceANewerWasSeen() throws IOException {
    write(services(2, "EUR", GATEWAY), manifestKey);
    bench.closeWallet(made(profile(DEVELOPMENT, GATEWAY, "EUR")));
    write(services(1, "EUR", SECOND), manifestKey);
    assertRefused(WalletError.RULES_ROLLED_BACK, () -> bench.reopen("wallet"));
    write(services(2, "EUR", SECOND), manifestKey);
    assertRefused(WalletError.RULES_ROLLED_BACK, () -> bench.reopen("wallet"));
    Files.delete(keys.resolve("services.note"));
    assertRefused(WalletError.MANIFEST_UNTRUSTED, () -> bench.reopen("wallet"));
    write(services(3, "EUR", SECOND), manifestKey);
    assertThat(bench.reopen("wallet").profile().gateway()).isEqualTo(SECOND);
  }

  @Test
  void anotherNetworksNoteIsRefused() throws IOException {
    NoteSigner signer = new NoteSigner(NetworkServices.SIGNER, manifestKey);
    String text = services(1, "EUR", GATEWAY).toNoteText(new NetworkId("another"));
    Files.writeString(keys.resolve("services.note"), SignedNote.sign(text, signer).encode());
    assertRefused(WalletError.NETWORK_MISMATCH, () -> made(profile(REAL, GATEWAY, "EUR")));
  }

  /** A gateway says nothing here: it would choose more bits than the owner would tell it. */
  @Test
  void theSignedServicesSayHowManyBitsABucketTells() throws IOException {
    write(services(1, "EUR", GATEWAY), manifestKey);
    WalletProfile profile = profile(DEVELOPMENT, GATEWAY, "EUR");
    assertThat(SignedServices.mailboxBits(profile, 6)).isZero();
    String text = services(1, "EUR", GATEWAY).toNoteText(TestCommittee.NETWORK);
    writeText(text + "mailbox-bits: 6\n");
    assertThat(SignedServices.mailboxBits(profile, 0)).isEqualTo(6);
    assertThat(signed().services().toNoteText(TestCommittee.NETWORK)).endsWith("mailbox-bits: 6\n");
    for (String refused : List.of("mailbox-bits: 7", "mailbox-bits: 0", "mailbox-bits: -1")) {
      writeText(text + refused + "\n");
      assertRefused(WalletError.MANIFEST_UNTRUSTED, () -> SignedServices.mailboxBits(profile, 0));
    }
    Files.delete(keys.resolve("services.note"));
    assertThat(SignedServices.mailboxBits(profile, 3)).isEqualTo(3);
    assertThat(SignedServices.mailboxBits(profile(REAL, GATEWAY, "EUR"), 3)).isZero();
  }

  /** A gateway's own word for its key could be another one for each wallet. */
  @Test
  void theSignedServicesNameTheRelayAndTheGatewaysKey() throws IOException {
    write(services(1, "EUR", GATEWAY), manifestKey);
    WalletProfile profile = profile(DEVELOPMENT, GATEWAY, "EUR");
    Relay unsigned = new Relay(GATEWAY, new ObliviousKey(9, KEY));
    assertThat(SignedServices.relay(profile, unsigned)).isEmpty();
    String text = services(1, "EUR", GATEWAY).toNoteText(TestCommittee.NETWORK);
    String key = "010020" + HexFormat.of().formatHex(KEY.bytes()) + "000400010001";
    String relay = "relay: https://relay.example/v1/ohttp\nrelay-key: " + key + "\n";
    for (String named : List.of(relay, "mailbox-bits: 6\n" + relay)) {
      writeText(text + named);
      assertThat(SignedServices.relay(profile, unsigned))
          .contains(
              new Relay(URI.create("https://relay.example/v1/ohttp"), new ObliviousKey(1, KEY)));
      assertThat(signed().services().toNoteText(TestCommittee.NETWORK)).endsWith(named);
    }
    for (String refused :
        List.of(
            relay.replace("https", "http"),
            relay.replace("010020", "010021"),
            relay.replace("00010001", "00010002"),
            relay.replace("relay-key", "key"),
            relay.replace("010020", "01002009"),
            relay + "mailbox-bits: 6\n",
            "relay: https://relay.example\n")) {
      writeText(text + refused);
      assertRefused(WalletError.MANIFEST_UNTRUSTED, () -> SignedServices.relay(profile, unsigned));
    }
    Files.delete(keys.resolve("services.note"));
    assertThat(SignedServices.relay(profile, unsigned)).contains(unsigned);
    assertThat(SignedServices.relay(profile(REAL, GATEWAY, "EUR"), unsigned)).isEmpty();
  }

  /** A gateway's own word for the keys could be one that reads all shares of a query. */
  @Test
  @Spec("F-64")
  void theSignedServicesNameTheReplicas() throws IOException {
    write(services(1, "EUR", GATEWAY), manifestKey);
    WalletProfile profile = profile(DEVELOPMENT, GATEWAY, "EUR");
    List<MailReplica> unsigned = replicas(9, 10, 11, 12);
    assertThat(SignedServices.replicas(profile, unsigned)).isEmpty();
    String text = services(1, "EUR", GATEWAY).toNoteText(TestCommittee.NETWORK);
    String line = line(replicas(1, 2, 3, 4));
    writeText(text + line);
    assertThat(SignedServices.replicas(profile, unsigned)).isEqualTo(replicas(1, 2, 3, 4));
    assertThat(signed().services().toNoteText(TestCommittee.NETWORK)).isEqualTo(text + line);
    for (String refused :
        List.of(
            line(replicas(1, 2, 3)),
            line(replicas(1, 2, 3, 4, 5)),
            line(replicas(1, 2, 3, 3)),
            "replica-keys: \n",
            line.strip() + " \n",
            line + line,
            line + "mailbox-bits: 6\n")) {
      writeText(text + refused);
      assertRefused(
          WalletError.MANIFEST_UNTRUSTED, () -> SignedServices.replicas(profile, unsigned));
    }
    Files.delete(keys.resolve("services.note"));
    assertThat(SignedServices.replicas(profile, unsigned)).isEqualTo(unsigned);
    assertThat(SignedServices.replicas(profile(REAL, GATEWAY, "EUR"), unsigned)).isEmpty();
  }

  /** Replicas follow one mailbox, so gateways that exchange mail have replicas each. */
  @Test
  @Spec("F-64")
  void eachGatewayHasTheReplicasOfItsMailbox() throws IOException {
    String text = services(1, "EUR", GATEWAY, SECOND, THIRD).toNoteText(TestCommittee.NETWORK);
    String one = line(replicas(1, 2, 3, 4)).strip().replace(": ", ": " + GATEWAY + " ");
    String other = values(replicas(5, 6, 7, 8));
    writeText(text + one + " " + SECOND + " " + THIRD + " " + other + "\n");
    assertThat(SignedServices.replicas(profile(REAL, GATEWAY, "EUR"), List.of()))
        .isEqualTo(replicas(1, 2, 3, 4));
    assertThat(SignedServices.replicas(profile(REAL, THIRD, "EUR"), List.of()))
        .isEqualTo(replicas(5, 6, 7, 8));
    assertRefused(
        WalletError.NETWORK_MISMATCH,
        () -> SignedServices.replicas(profile(REAL, OFFICE, "EUR"), List.of()));
    for (String refused :
        List.of(
            one + " " + SECOND + " " + other, // the third has none
            one + " " + SECOND + " " + GATEWAY + " " + THIRD + " " + other,
            one + " " + SECOND + " " + THIRD + " https://elsewhere.example " + other,
            one + " " + SECOND + " " + THIRD + " " + values(replicas(4, 5, 6, 7)),
            one + " " + SECOND + " " + THIRD + " " + values(replicas(5, 6, 7, 8, 9, 10, 11)),
            one + " " + SECOND + " " + THIRD,
            one.replace(" " + GATEWAY, " " + GATEWAY + " " + SECOND + " " + THIRD),
            "replica-keys: " + other + " " + one.substring("replica-keys: ".length()),
            one + " " + SECOND + " " + other + " " + THIRD)) {
      writeText(text + refused + "\n");
      assertRefused(
          WalletError.MANIFEST_UNTRUSTED,
          () -> SignedServices.replicas(profile(REAL, GATEWAY, "EUR"), List.of()));
    }
  }

  private static List<MailReplica> replicas(int... numbers) {
    return IntStream.of(numbers)
        .mapToObj(i -> {
          byte[] keys = new byte[MailReplica.BYTES];
          keys[0] = (byte) (i + 1);
          keys[MailReplica.BYTES - 1] = (byte) i;
          return MailReplica.of(keys);
        })
        .toList();
  }

  private static String line(List<MailReplica> replicas) {
    return "replica-keys: " + values(replicas) + "\n";
  }

  private static String values(List<MailReplica> replicas) {
    return replicas.stream()
        .map(one -> HexFormat.of().formatHex(one.bytes()))
        .collect(Collectors.joining(" "));
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static NetworkServices services(long version, String currency, URI... gateways) {
    return new NetworkServices(
        version,
        new CurrencyCode(currency),
        List.of(gateways),
        OFFICE,
        OFFICE,
        OFFICE,
        KEY,
        List.of(Digest32.sha256()),
        0,
        Optional.empty(),
        List.of());
  }

  private void writeText(String text) throws IOException {
    NoteSigner signer = new NoteSigner(NetworkServices.SIGNER, manifestKey);
    Files.writeString(keys.resolve("services.note"), SignedNote.sign(text, signer).encode());
  }

  private void write(NetworkServices services, Ed25519PrivateKey key) throws IOException {
    String text = services.toNoteText(TestCommittee.NETWORK);
    Files.writeString(
        keys.resolve("services.note"),
        SignedNote.sign(text, new NoteSigner(NetworkServices.SIGNER, key)).encode());
  }

  private SignedServices signed() {
    return SignedServices.read(keys, manifestKey.publicKey().bytes()).orElseThrow();
  }

  private WalletProfile profile(Set<KeyClass> classes, URI gateway, String currency) {
    return new WalletProfile(
        TestCommittee.NETWORK,
        NetworkKind.REGULATED,
        new CurrencyCode(currency),
        manifestKey.publicKey().bytes(),
        classes,
        gateway,
        new ServicePins(gateway, gateway, gateway, KEY),
        keys.toString(),
        null);
  }

  private Wallet made(WalletProfile profile) {
    try (SeedPhrase phrase = SeedPhrase.ofEntropy(new byte[32])) {
      return bench.create("wallet", phrase, profile);
    }
  }

  private static void assertRefused(WalletError error, ThrowingCallable call) {
    WalletException refused = catchThrowableOfType(WalletException.class, call);
    assertThat(refused).isNotNull();
    assertThat(refused.error()).isEqualTo(error);
  }
}
