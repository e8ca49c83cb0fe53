package io.solidus.wallet.trust;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Spec;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a wallet learns from the signed key manifest before it opens the network's keys.
 *
 * @param digest of the manifest's bytes
 * @param network its id
 * @param keyClass the class of the keys, such as ceremony
 * @param files the proving and verifying keys, in the order of the manifest
 */
public record SignedManifest(
    Digest32 digest, NetworkKind kind, String network, String keyClass, List<KeyFile> files) {
  /** The name of the manifest in a folder of keys. */
  public static final String FILE = "manifest.json";

  /** The name of the manifest's signature in a folder of keys. */
  public static final String SIGNATURE_FILE = "manifest.sig";

  private static final int MAX_BYTES = 1 << 20;
  private static final Pattern KEY_FILE = Pattern.compile("[a-z][a-z0-9-]{0,63}\\.(pk|vk)");
  private static final long MAX_KEY_BYTES = 1L << 32;

  public SignedManifest {
    files = List.copyOf(files);
  }

  /**
   * A key.
   *
   * @param name of its file in the folder of keys
   * @param size in bytes
   */
  public record KeyFile(String name, long size, Digest32 digest) {
    /** Whether it is a proving key, which verifiers and gateways need not have. */
    public boolean isProvingKey() {
      return name.endsWith(".pk");
    }
  }

  /**
   * Reads the manifest of a folder.
   *
   * @param keys folder with the network's keys
   * @param manifestKey that the wallet pins
   * @throws WalletException {@code manifest-untrusted} when the folder has no manifest, the key did
   *     not sign it, or it states no kind
   */
  @Spec("W-15")
  public static SignedManifest read(Path keys, byte[] manifestKey) {
    byte[] content;
    byte[] signature;
    try {
      content = bytes(keys.resolve(FILE));
      signature = bytes(keys.resolve(SIGNATURE_FILE));
    } catch (IOException | IllegalArgumentException e) {
      throw untrusted("the key manifest in " + keys, e);
    }
    return of("the key manifest in " + keys, content, signature, manifestKey);
  }

  /**
   * Reads a manifest.
   *
   * @param what it is, for error texts
   * @param signature bytes of the file with the signature
   * @throws WalletException as {@link #read}
   */
  public static SignedManifest of(
      String what, byte[] content, byte[] signature, byte[] manifestKey) {
    try {
      return verified(content, new String(signature, StandardCharsets.US_ASCII), manifestKey);
    } catch (IllegalArgumentException | JacksonException | ProtocolException e) {
      throw untrusted(what, e);
    }
  }

  private static WalletException untrusted(String what, Exception cause) {
    return new WalletException(
        WalletError.MANIFEST_UNTRUSTED, what + " cannot be used: " + cause.getMessage(), cause);
  }

  private static SignedManifest verified(byte[] content, String signature, byte[] manifestKey) {
    byte[] signed = HexFormat.of().parseHex(signature.strip());
    if (!new Ed25519PublicKey(manifestKey).verify(content, signed)) {
      throw new IllegalArgumentException("the pinned key did not sign it");
    }
    JsonNode manifest = JsonMapper.shared().readTree(content);
    NetworkKind kind =
        switch (manifest.path("kind").asString("")) {
          case "regulated" -> NetworkKind.REGULATED;
          case "unregulated" -> NetworkKind.UNREGULATED;
          default -> throw new IllegalArgumentException("it states no kind of network");
        };
    List<KeyFile> files = new ArrayList<>();
    for (JsonNode circuit : manifest.path("circuits")) {
      files.addAll(keyFiles(circuit));
    }
    return new SignedManifest(
        Digest32.sha256(content),
        kind,
        manifest.path("networkId").asString(""),
        manifest.path("class").asString(""),
        files);
  }

  /** The keys of a circuit, of which those of load tests have no proving key. */
  static List<KeyFile> keyFiles(JsonNode circuit) {
    return Stream.of("verifyingKey", "provingKey")
        .filter(circuit::has)
        .map(member -> keyFile(circuit.path(member)))
        .toList();
  }

  private static KeyFile keyFile(JsonNode key) {
    String name = key.path("file").asString("");
    long size = key.path("size").asLong(0);
    if (!KEY_FILE.matcher(name).matches() || size < 1 || size > MAX_KEY_BYTES) {
      throw new IllegalArgumentException("it names a key without a proper file or size");
    }
    return new KeyFile(name, size, Digest32.fromHex(key.path("sha256").asString("")));
  }

  private static byte[] bytes(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] content = in.readNBytes(MAX_BYTES + 1);
      if (content.length > MAX_BYTES) {
        throw new IllegalArgumentException("it is too long");
      }
      return content;
    }
  }
}
