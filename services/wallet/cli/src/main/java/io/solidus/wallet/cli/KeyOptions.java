package io.solidus.wallet.cli;

import io.solidus.prover.KeyClass;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the network's keys and the key that signs their manifest. */
final class KeyOptions {
  private static final int KEY_BYTES = 32;

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

  /**
   * The keys to open and what to trust them by.
   *
   * @param folder of the network's keys
   */
  record Pins(Path folder, byte[] manifestKey, Set<KeyClass> classes) {}

  Pins pins(WalletCommand top) {
    Path development = developmentKeys(top);
    if (development != null && isProduction(top.environment())) {
      throw new WalletException(
          WalletError.MANIFEST_UNTRUSTED,
          "under the production profile a wallet cannot pin development keys: use --keys-dir and"
              + " --manifest-key");
    }
    Path folder = keysDir != null ? keysDir : development;
    if (folder == null) {
      throw new WalletException(
          WalletError.MANIFEST_UNTRUSTED,
          "the network's keys are missing: use --keys-dir and --manifest-key, or"
              + " --development-keys");
    }
    return new Pins(
        folder,
        manifestKey(development),
        development == null
            ? Set.of(KeyClass.CEREMONY)
            : Set.of(KeyClass.CEREMONY, KeyClass.DEVELOPMENT));
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

  static byte[] decode(String text, String what) {
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
