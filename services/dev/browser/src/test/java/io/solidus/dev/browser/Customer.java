package io.solidus.dev.browser;

import io.solidus.dev.sandbox.secrets.Installation;
import io.solidus.dev.sandbox.settings.Ports;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.NetworkKind;
import io.solidus.prover.KeyClass;
import io.solidus.prover.KeySet;
import io.solidus.prover.Prover;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.gateway.ServiceDirectory;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.model.WalletProfile;
import io.solidus.wallet.session.WalletOptions;
import io.solidus.wallet.session.WalletPlatform;
import io.solidus.wallet.store.PassphraseCost;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Set;

/** A person with a wallet, whom the bank's people see on their pages. */
final class Customer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final KeySet keys;
  private final Prover prover;
  private final WalletPlatform platform;
  private final Wallet wallet;

  private Customer(KeySet keys, Prover prover, WalletPlatform platform, Wallet wallet) {
    this.keys = keys;
    this.prover = prover;
    this.platform = platform;
    this.wallet = wallet;
  }

  static Customer enter(SandboxOptions options, Installation installation, Path file) {
    try (SeedPhrase phrase = SeedPhrase.generate(new SecureRandom())) {
      return enter(options, installation, file, phrase);
    }
  }

  static Customer enter(
      SandboxOptions options, Installation installation, Path file, SeedPhrase phrase) {
    byte[] manifestKey = Base64.getDecoder().decode(installation.manifestKey());
    KeySet keys =
        KeySet.open(
            options.keys(),
            options.network(),
            NetworkKind.REGULATED,
            Set.of(KeyClass.DEVELOPMENT),
            manifestKey);
    Prover prover = Prover.open(keys, 1);
    WalletPlatform platform = WalletPlatform.over(keys, prover);
    Ports ports = options.ports();
    try (HttpClient http = HttpClient.newHttpClient()) {
      WalletProfile profile =
          new WalletProfile(
              options.network(),
              NetworkKind.REGULATED,
              new CurrencyCode("EUR"),
              manifestKey,
              Set.of(KeyClass.DEVELOPMENT),
              local(ports.gateway()),
              new ServiceDirectory(
                      local(ports.registration()),
                      local(ports.sanctions()),
                      local(ports.issuance()),
                      null)
                  .complete(http, Map.of(), PATIENCE),
              options.keys().toString(),
              null);
      WalletOptions wallet =
          WalletOptions.defaults()
              .withMaxMailboxDelay(Duration.ofMillis(200))
              .withPassphraseCost(new PassphraseCost(8 * 1024, 1, 1))
              .withPatience(PATIENCE);
      return new Customer(
          keys,
          prover,
          platform,
          Wallet.create(
              file, "a passphrase for tests".toCharArray(), phrase, profile, platform, wallet));
    }
  }

  private static URI local(int port) {
    return URI.create("http://127.0.0.1:" + port);
  }

  Wallet wallet() {
    return wallet;
  }

  @Override
  public void close() {
    wallet.close();
    platform.close();
    prover.close();
    keys.close();
  }
}
