package io.solidus.wallet.trust;

import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Spec;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** What a new wallet learns from the signed key manifest before it opens the network's keys. */
public final class SignedManifest {
  private static final int MAX_BYTES = 1 << 20;

  private SignedManifest() {}

  /**
   * The kind of the network.
   *
   * @param keys folder with the network's keys
   * @param manifestKey that the wallet pins
   * @throws WalletException {@code manifest-untrusted} when the folder has no manifest, the key did
   *     not sign it, or it states no kind
   */
  @Spec("W-15")
  public static NetworkKind kind(Path keys, byte[] manifestKey) {
    try {
      byte[] content = read(keys.resolve("manifest.json"));
      byte[] signature =
          HexFormat.of()
              .parseHex(
                  new String(read(keys.resolve("manifest.sig")), StandardCharsets.US_ASCII)
                      .strip());
      if (!new Ed25519PublicKey(manifestKey).verify(content, signature)) {
        throw new IllegalArgumentException("the pinned key did not sign it");
      }
      return switch (JsonMapper.shared().readTree(content).path("kind").asString("")) {
        case "regulated" -> NetworkKind.REGULATED;
        case "unregulated" -> NetworkKind.UNREGULATED;
        default -> throw new IllegalArgumentException("it states no kind of network");
      };
    } catch (IOException | IllegalArgumentException | JacksonException e) {
      throw new WalletException(
          WalletError.MANIFEST_UNTRUSTED,
          "the key manifest in " + keys + " cannot be used: " + e.getMessage(),
          e);
    }
  }

  private static byte[] read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] content = in.readNBytes(MAX_BYTES + 1);
      if (content.length > MAX_BYTES) {
        throw new IllegalArgumentException("it is too long");
      }
      return content;
    }
  }
}
