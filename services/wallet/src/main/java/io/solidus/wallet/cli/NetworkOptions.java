package io.solidus.wallet.cli;

import io.solidus.protocol.CurrencyCode;
import io.solidus.prover.KeyClass;
import io.solidus.wallet.WalletError;
import io.solidus.wallet.WalletException;
import io.solidus.wallet.gateway.GatewayClient;
import io.solidus.wallet.gateway.GatewayInfo;
import io.solidus.wallet.gateway.RestClient;
import io.solidus.wallet.model.WalletProfile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a new wallet pins. */
final class NetworkOptions {
  private static final URI DEFAULT_GATEWAY = URI.create("http://localhost:8080");
  private static final int KEY_BYTES = 32;

  @Option(names = "--keys-dir", paramLabel = "DIR", description = "the network's proving and verifying keys")
  private @Nullable Path keysDir;

  @Option(
      names = "--manifest-key",
      paramLabel = "KEY",
      description = "public key (hex or base64) that signs the network's key manifest; it is pinned")
  private @Nullable String manifestKey;

  @Option(
      names = "--development-keys",
      paramLabel = "DIR",
      description = "keys made on this machine: uses the folder, pins its own manifest.pub and allows their class")
  private @Nullable Path developmentKeys;

  @Option(
      names = "--delegate",
      description = "let the gateway's prover make the proofs: it sees the payments and cannot make any; its key is pinned")
  private boolean delegate;

  WalletProfile profile(WalletCommand top) {
    URI given = top.gateway();
    URI gateway = given == null ? DEFAULT_GATEWAY : given;
    Path development = developmentKeys(top);
    Path keys = keysDir != null ? keysDir : development;
    if (keys == null) {
      throw new WalletException(
          WalletError.MANIFEST_UNTRUSTED, "say where the network's keys are: --keys-dir and --manifest-key, or --development-keys");
    }
    try (HttpClient http = HttpClient.newHttpClient()) {
      GatewayClient client = new GatewayClient(new RestClient(http, gateway, "the gateway", Duration.ofSeconds(20)));
      GatewayInfo info = client.info();
      return new WalletProfile(
          info.network(),
          info.kind(),
          new CurrencyCode(info.currency()),
          manifestKey(development),
          development == null ? Set.of(KeyClass.CEREMONY) : Set.of(KeyClass.CEREMONY, KeyClass.DEVELOPMENT),
          gateway,
          keys.toAbsolutePath().toString(),
          delegate ? client.proverKey().bytes() : null);
    }
  }

  private @Nullable Path developmentKeys(WalletCommand top) {
    String variable = top.environment().get("SOLIDUS_DEVELOPMENT_KEYS");
    return developmentKeys != null || variable == null || keysDir != null ? developmentKeys : Path.of(variable);
  }

  private byte[] manifestKey(@Nullable Path development) {
    if (manifestKey != null) {
      return decode(manifestKey);
    }
    if (development == null) {
      throw new WalletException(WalletError.MANIFEST_UNTRUSTED, "say which key signs the network's key manifest: --manifest-key");
    }
    try {
      return decode(Files.readString(development.resolve("manifest.pub")).strip());
    } catch (IOException e) {
      throw new WalletException(WalletError.MANIFEST_UNTRUSTED, "there are no keys in " + development, e);
    }
  }

  private static byte[] decode(String text) {
    try {
      byte[] key = text.length() == 2 * KEY_BYTES ? HexFormat.of().parseHex(text) : Base64.getDecoder().decode(text);
      if (key.length == KEY_BYTES) {
        return key;
      }
    } catch (IllegalArgumentException e) {
      // refused below
    }
    throw new WalletException(WalletError.MANIFEST_UNTRUSTED, "the manifest key is not 32 bytes in hex or base64");
  }
}
