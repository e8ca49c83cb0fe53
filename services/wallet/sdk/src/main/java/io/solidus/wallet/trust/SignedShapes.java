package io.solidus.wallet.trust;

import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.ProtocolException;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.trust.SignedManifest.KeyFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a wallet learns from the signed file of shapes before it opens the network's keys: the files
 * to fetch. Whether the shapes are of this network and of constraints that the wallet knows, the
 * key set finds out when it opens.
 *
 * @param files the proving and verifying keys of the shapes that this wallet knows
 */
public record SignedShapes(List<KeyFile> files) {
  /** The name of the file of shapes in a folder of keys. */
  public static final String FILE = "shapes.json";

  /** The name of its signature in a folder of keys. */
  public static final String SIGNATURE_FILE = "shapes.sig";

  private static final String FORMAT = "solidus/shapes/v1";
  private static final int MAX_BYTES = 1 << 16;
  private static final int MAX_CIRCUITS = 64;
  private static final Set<String> KNOWN = Set.of("claim-16");

  public SignedShapes {
    files = List.copyOf(files);
  }

  /**
   * Reads the file of shapes of a folder.
   *
   * @param keys folder with the network's keys
   * @param manifestKey that the wallet pins
   * @return empty where the folder has no shapes
   * @throws WalletException {@code manifest-untrusted} when the key did not sign the file, or it
   *     has another form
   */
  public static Optional<SignedShapes> read(Path keys, byte[] manifestKey) {
    Path file = keys.resolve(FILE);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      byte[] content = bytes(file);
      byte[] signature = bytes(keys.resolve(SIGNATURE_FILE));
      return Optional.of(
          verified(content, new String(signature, StandardCharsets.US_ASCII), manifestKey));
    } catch (IOException | IllegalArgumentException | JacksonException | ProtocolException e) {
      throw new WalletException(
          WalletError.MANIFEST_UNTRUSTED,
          "the shapes in " + keys + " cannot be used: " + e.getMessage(),
          e);
    }
  }

  private static SignedShapes verified(byte[] content, String signature, byte[] manifestKey) {
    byte[] signed = HexFormat.of().parseHex(signature.strip());
    if (!new Ed25519PublicKey(manifestKey).verify(content, signed)) {
      throw new IllegalArgumentException("the pinned key did not sign them");
    }
    JsonNode shapes = JsonMapper.shared().readTree(content);
    if (!shapes.path("format").asString("").equals(FORMAT)) {
      throw new IllegalArgumentException("the file has another format");
    }
    if (shapes.path("circuits").size() > MAX_CIRCUITS) {
      throw new IllegalArgumentException("the file names too many circuits");
    }
    List<KeyFile> files = new ArrayList<>();
    for (JsonNode circuit : shapes.path("circuits")) {
      if (KNOWN.contains(circuit.path("name").asString(""))) {
        files.addAll(SignedManifest.keyFiles(circuit));
      }
    }
    return new SignedShapes(files);
  }

  private static byte[] bytes(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] content = in.readNBytes(MAX_BYTES + 1);
      if (content.length > MAX_BYTES) {
        throw new IllegalArgumentException("the file is too long");
      }
      return content;
    }
  }
}
