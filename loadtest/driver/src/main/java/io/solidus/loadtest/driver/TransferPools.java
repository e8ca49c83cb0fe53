package io.solidus.loadtest.driver;

import com.google.errorprone.annotations.FormatMethod;
import io.solidus.loadtest.forge.ForgeException;
import io.solidus.loadtest.forge.LoadTestKeys;
import io.solidus.loadtest.forge.PoolWriter;
import io.solidus.loadtest.forge.ProvedTransfers;
import io.solidus.loadtest.forge.PublishedRules;
import io.solidus.loadtest.forge.RequestPool;
import io.solidus.loadtest.forge.TransferSeries;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.prover.KeyClass;
import io.solidus.prover.KeySet;
import io.solidus.prover.Prover;
import io.solidus.wallet.gateway.GatewayClient;
import io.solidus.wallet.gateway.RestClient;
import io.solidus.wallet.proving.LocalProofs;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;

/** Makes pools for a running platform. */
final class TransferPools {
  /** The network of load tests on a sandbox. */
  static final NetworkId NETWORK = new NetworkId("solidus-load");

  private static final int VALIDATORS = 4;
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final int PROOFS_AT_A_TIME = 1;

  private TransferPools() {}

  /** The keys of that network, made when they are missing. */
  static LoadTestKeys keys() {
    return LoadTestKeys.cached(NETWORK, NetworkKind.REGULATED, VALIDATORS);
  }

  /** Forges a part of a series under the rules of a platform. */
  static void forge(LoadTestKeys source, URI gateway, Path dir, TransferSeries series) {
    try (KeySet keys = source.open()) {
      PublishedRules rules = PublishedRules.fetch(gateway, keys.committee());
      new PoolWriter(dir, done -> say("%d of %d transfers forged", done, series.count()))
          .forge(source, keys, rules, series);
    }
  }

  /**
   * Proves transfers under development keys, with the shares of the same directory.
   *
   * @param keysDir of development keys with shares
   */
  static void prove(Path keysDir, URI gateway, Path dir, String seed, long count) {
    try (KeySet keys = development(keysDir)) {
      keys.warmUp(Family.TRANSFER);
      PublishedRules rules = PublishedRules.fetch(gateway, keys.committee());
      try (Prover prover = Prover.open(keys, PROOFS_AT_A_TIME);
          ProvedTransfers proved =
              new ProvedTransfers(keysDir, keys, rules, new LocalProofs(prover))) {
        new PoolWriter(dir, done -> say("%d of %d transfers proved", done, count))
            .prove(proved, keys, rules, seed, count);
      }
    }
  }

  /** Opens keys of the development class; their directory has the layout of load-test keys. */
  private static KeySet development(Path dir) {
    LoadTestKeys files = LoadTestKeys.at(dir);
    return KeySet.open(
        dir, files.network(), files.kind(), Set.of(KeyClass.DEVELOPMENT), files.manifestKey());
  }

  /**
   * Checks the keys before the first request, instead of getting a million refusals.
   *
   * @throws ForgeException when the pool was made under other keys than the platform's
   */
  static void requireFits(RequestPool pool, URI gateway) {
    try (HttpClient http = HttpClient.newBuilder().connectTimeout(LIMIT).build()) {
      Digest32 manifest =
          new GatewayClient(new RestClient(http, gateway, "the gateway", LIMIT))
              .manifest()
              .digest();
      if (!manifest.equals(pool.manifestDigest())) {
        throw new ForgeException("the transfers were not made under the keys of " + gateway);
      }
    }
  }

  @FormatMethod
  private static void say(String format, Object... values) {
    System.err.println("  " + String.format(Locale.ROOT, format, values));
  }
}
