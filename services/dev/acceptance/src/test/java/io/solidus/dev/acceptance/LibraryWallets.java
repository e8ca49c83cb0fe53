package io.solidus.dev.acceptance;

import io.solidus.dev.sandbox.secrets.Installation;
import io.solidus.dev.sandbox.settings.Ports;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.EncryptionKey;
import io.solidus.prover.KeyClass;
import io.solidus.prover.Prover;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.core.CoreExchange;
import io.solidus.wallet.core.CoreProfile;
import io.solidus.wallet.core.Exchanges;
import io.solidus.wallet.core.HostClock;
import io.solidus.wallet.core.MortalPhone;
import io.solidus.wallet.gateway.CoreExchanges;
import io.solidus.wallet.gateway.ServiceDirectory;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.model.WalletProfile;
import io.solidus.wallet.session.RelayUse;
import io.solidus.wallet.session.WalletOptions;
import io.solidus.wallet.session.WalletPlatform;
import io.solidus.wallet.store.PassphraseCost;
import io.solidus.wire.json.Base64Url;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Wallets of the library on a sandbox, and what the second implementation needs to know of it. */
final class LibraryWallets implements AutoCloseable {
  static final CurrencyCode CURRENCY = new CurrencyCode("EUR");
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final String PASSPHRASE = "a passphrase for the acceptance tests";

  private static final WalletOptions QUICK =
      WalletOptions.defaults()
          .withMaxMailboxDelay(Duration.ofMillis(200))
          .withPassphraseCost(new PassphraseCost(8 * 1024, 1, 1));

  private final SandboxOptions options;
  private final byte[] manifestKey;
  private final Path folder;
  private final WalletProfile profile;
  private final WalletPlatform platform;
  private final byte[] proverKey;
  private final Prover prover;
  private final HttpClient phones = HttpClient.newHttpClient();

  LibraryWallets(SandboxOptions options, Installation installation, Path folder) throws Exception {
    this.options = options;
    this.manifestKey = Base64.getDecoder().decode(installation.manifestKey());
    this.folder = folder;
    try (HttpClient http = HttpClient.newHttpClient()) {
      this.profile = profile(http);
      this.proverKey = proverKey(http);
    }
    this.platform = WalletPlatform.open(profile);
    this.prover = Prover.open(platform.keys(), 1);
  }

  private WalletProfile profile(HttpClient http) {
    Ports ports = options.ports();
    ServiceDirectory services =
        new ServiceDirectory(
            local(ports.registration()), local(ports.sanctions()), local(ports.issuance()), null);
    return new WalletProfile(
        options.network(),
        options.kind(),
        CURRENCY,
        manifestKey,
        Set.of(KeyClass.DEVELOPMENT),
        local(ports.gateway()),
        services.complete(http, Map.of(), TIMEOUT),
        options.keys().toString(),
        null);
  }

  /** A test may take the prover's key from the gateway; a wallet takes it from its owner. */
  private byte[] proverKey(HttpClient http) throws Exception {
    URI info = local(options.ports().gateway()).resolve("/v1/info");
    HttpRequest request = HttpRequest.newBuilder(info).timeout(TIMEOUT).build();
    String body = http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    String key = JsonMapper.builder().build().readTree(body).path("proverKey").asString();
    return Base64Url.decode(key, "proverKey");
  }

  private static URI local(int port) {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** A new file for known words. */
  Wallet restore(String name, String words) {
    return restore(name, words, options -> options);
  }

  /** A new file for known words, of a wallet that reaches the gateway through a relay. */
  Wallet restore(String name, String words, RelayUse relay) {
    return restore(name, words, options -> options.withRelay(relay));
  }

  /** A new file for known words, of a wallet with other options. */
  Wallet restore(String name, String words, UnaryOperator<WalletOptions> change) {
    try (SeedPhrase phrase = SeedPhrase.parse(words)) {
      Wallet wallet =
          Wallet.createToRestore(
              folder.resolve(name + ".wallet"),
              PASSPHRASE.toCharArray(),
              phrase,
              profile,
              platform,
              change.apply(QUICK));
      wallet.restore();
      return wallet;
    }
  }

  /** A file that was made before, at another time. */
  Wallet open(String name, Clock clock) {
    return open(name, options -> options.withClock(clock));
  }

  /** A file that was made before, with other options. */
  Wallet open(String name, UnaryOperator<WalletOptions> change) {
    return Wallet.open(
        folder.resolve(name + ".wallet"), PASSPHRASE.toCharArray(), platform, change.apply(QUICK));
  }

  /** A phone with the core of a wallet and these words, which are to be restored. */
  MortalPhone phone(String name, String words) {
    MortalPhone phone =
        new MortalPhone(
            folder.resolve(name + ".core"), exchanges(), prover::prove, HostClock.system());
    phone.create(coreProfile(null), words);
    return phone;
  }

  /**
   * A phone whose proofs the network's prover makes, with blind tokens for the gateway.
   *
   * @param sent is told of each exchange before it is sent
   */
  MortalPhone delegatingPhone(
      String name, String words, HostClock clock, Consumer<CoreExchange> sent) {
    Exchanges exchanges = exchanges();
    MortalPhone phone =
        new MortalPhone(
            folder.resolve(name + ".core"),
            exchange -> {
              sent.accept(exchange);
              return exchanges.send(exchange);
            },
            (family, witness) -> {
              throw new AssertionError("the prover makes the proofs");
            },
            clock);
    phone.create(coreProfile(new EncryptionKey(proverKey)).withTokensFor(gatewayHost()), words);
    return phone;
  }

  private Exchanges exchanges() {
    return new CoreExchanges(phones, local(options.ports().gateway()), profile.services(), null);
  }

  private CoreProfile coreProfile(@Nullable EncryptionKey delegate) {
    Set<KeyClass> classes = Set.of(KeyClass.DEVELOPMENT);
    return CoreProfile.read(
        options.keys(), options.network(), manifestKey, classes, 0, CURRENCY, delegate);
  }

  /** What blind tokens are for. */
  private String gatewayHost() {
    return local(options.ports().gateway()).getHost();
  }

  /** What {@link NodeCore#open} takes, without words. */
  Map<String, String> nodeCore(String file) {
    Map<String, String> start = new HashMap<>(secondWallet(file));
    start.keySet().removeAll(Set.of("prover", "passphrase", "redemptionKey"));
    start.put("key", HexFormat.of().formatHex(new byte[32]));
    start.put("origin", gatewayHost());
    return start;
  }

  EncryptionKey redemptionKey() {
    return profile.services().redemptionKey();
  }

  /** What {@link SecondWallet#open} takes, without words. */
  Map<String, String> secondWallet(String file) {
    HexFormat hex = HexFormat.of();
    return Map.ofEntries(
        Map.entry("networkId", options.network().value()),
        Map.entry("keys", options.keys().toString()),
        Map.entry("manifestKey", hex.formatHex(manifestKey)),
        Map.entry("currency", CURRENCY.value()),
        Map.entry("gateway", local(options.ports().gateway()).toString()),
        Map.entry("registration", local(options.ports().registration()).toString()),
        Map.entry("issuance", local(options.ports().issuance()).toString()),
        Map.entry("redemptionKey", hex.formatHex(profile.services().redemptionKey().bytes())),
        Map.entry("prover", hex.formatHex(proverKey)),
        Map.entry("file", folder.resolve(file).toString()),
        Map.entry("passphrase", PASSPHRASE));
  }

  @Override
  public void close() {
    phones.close();
    prover.close();
    platform.close();
  }
}
