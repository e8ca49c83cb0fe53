package io.solidus.wallet.cli;

import io.solidus.protocol.CurrencyCode;
import io.solidus.protocol.EncryptionKey;
import io.solidus.prover.KeyClass;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.GatewayClient;
import io.solidus.wallet.gateway.GatewayInfo;
import io.solidus.wallet.gateway.RestClient;
import io.solidus.wallet.gateway.ServiceDirectory;
import io.solidus.wallet.model.WalletProfile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options for the pins of a new wallet. */
final class NetworkOptions {
  private static final URI DEFAULT_GATEWAY = URI.create("http://localhost:8080");
  private static final int KEY_BYTES = 32;
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  @Option(
      names = "--keys-dir",
      paramLabel = "DIR",
      description = "the network's proving and verifying keys")
  private @Nullable Path keysDir;

  @Option(
      names = "--manifest-key",
      paramLabel = "KEY",
      description =
          "public key (hex or base64) that signs the network's key manifest; it is pinned")
  private @Nullable String manifestKey;

  @Option(
      names = "--development-keys",
      paramLabel = "DIR",
      description =
          "keys made on this machine: uses the folder, pins its manifest.pub and accepts"
              + " development keys")
  private @Nullable Path developmentKeys;

  @Option(
      names = "--delegate",
      description =
          "let a prover make the proofs: it sees the payments and cannot make any; needs"
              + " --prover-key")
  private boolean delegate;

  @Option(
      names = "--prover-key",
      paramLabel = "KEY",
      description = {
        "X25519 key (hex or base64) of the prover for --delegate, from the prover's operator; it is"
            + " pinned.",
        "It is not taken from the gateway: its private key reads every payment, so a gateway could"
            + " name its own."
      })
  private @Nullable String proverKey;

  @Option(
      names = "--registration-url",
      paramLabel = "URL",
      description =
          "the service that gets the identity (default: the gateway's choice, once); it is"
              + " pinned")
  private @Nullable URI registration;

  @Option(
      names = "--sanctions-url",
      paramLabel = "URL",
      description =
          "the service that publishes the sanction list (default: the gateway's choice, once); it"
              + " is pinned")
  private @Nullable URI sanctions;

  @Option(
      names = "--issuance-url",
      paramLabel = "URL",
      description =
          "the issuer's service, which gets funding tokens (default: the gateway's choice, once);"
              + " it is pinned")
  private @Nullable URI issuance;

  @Option(
      names = "--redemption-key",
      paramLabel = "KEY",
      description =
          "X25519 key (hex or base64) that payout instructions are sealed to (default: asked from"
              + " the issuer's service, once); it is pinned")
  private @Nullable String redemptionKey;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  WalletProfile profile(WalletCommand top) {
    EncryptionKey prover = prover();
    URI given = top.firstGateway();
    URI gateway = given == null ? DEFAULT_GATEWAY : given;
    Path development = developmentKeys(top);
    if (development != null && isProduction(top.environment())) {
      throw new WalletException(
          WalletError.MANIFEST_UNTRUSTED,
          "under the production profile a wallet cannot pin development keys: use --keys-dir and"
              + " --manifest-key");
    }
    Path keys = keysDir != null ? keysDir : development;
    if (keys == null) {
      throw new WalletException(
          WalletError.MANIFEST_UNTRUSTED,
          "the network's keys are missing: use --keys-dir and --manifest-key, or"
              + " --development-keys");
    }
    try (HttpClient http = HttpClient.newHttpClient()) {
      GatewayClient client =
          new GatewayClient(new RestClient(http, gateway, "the gateway", TIMEOUT));
      GatewayInfo info = client.info();
      return new WalletProfile(
          info.network(),
          info.kind(),
          new CurrencyCode(info.currency()),
          manifestKey(development),
          development == null
              ? Set.of(KeyClass.CEREMONY)
              : Set.of(KeyClass.CEREMONY, KeyClass.DEVELOPMENT),
          gateway,
          directory().complete(http, info.services(), TIMEOUT),
          keys.toAbsolutePath().toString(),
          prover);
    }
  }

  private ServiceDirectory directory() {
    EncryptionKey issuer =
        redemptionKey == null
            ? null
            : new EncryptionKey(decode(redemptionKey, "the redemption key"));
    return new ServiceDirectory(registration, sanctions, issuance, issuer);
  }

  private @Nullable EncryptionKey prover() {
    if (delegate != (proverKey != null)) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "--delegate and --prover-key go together: name the prover that may see the payments");
    }
    return proverKey == null ? null : new EncryptionKey(decode(proverKey, "the prover key"));
  }

  private @Nullable Path developmentKeys(WalletCommand top) {
    String variable = top.environment().get("SOLIDUS_DEVELOPMENT_KEYS");
    return developmentKeys != null || variable == null || variable.isBlank() || keysDir != null
        ? developmentKeys
        : Path.of(variable);
  }

  /**
   * Whether the process runs under the production profile. The native library reads the same
   * variables and then refuses development keys of existing wallets.
   */
  private static boolean isProduction(Map<String, String> environment) {
    return Stream.concat(
            Stream.of(environment.getOrDefault("SOLIDUS_PROFILE", "")),
            Stream.of(environment.getOrDefault("SPRING_PROFILES_ACTIVE", "").split(",")))
        .map(String::strip)
        .anyMatch(name -> name.equalsIgnoreCase("production") || name.equalsIgnoreCase("prod"));
  }

  private byte[] manifestKey(@Nullable Path development) {
    if (manifestKey != null) {
      return decode(manifestKey, "the manifest key");
    }
    if (development == null) {
      throw new WalletException(
          WalletError.MANIFEST_UNTRUSTED,
          "the key that signs the network's key manifest is missing: use --manifest-key");
    }
    try {
      return decode(
          Files.readString(development.resolve("manifest.pub")).strip(), "the manifest key");
    } catch (IOException e) {
      throw new WalletException(
          WalletError.MANIFEST_UNTRUSTED, "there are no keys in " + development, e);
    }
  }

  private static byte[] decode(String text, String what) {
    try {
      byte[] key =
          text.length() == 2 * KEY_BYTES
              ? HexFormat.of().parseHex(text)
              : Base64.getDecoder().decode(text);
      if (key.length == KEY_BYTES) {
        return key;
      }
    } catch (IllegalArgumentException e) {
      // refused below
    }
    throw new WalletException(
        WalletError.MANIFEST_UNTRUSTED, what + " is not 32 bytes in hex or base64");
  }
}
