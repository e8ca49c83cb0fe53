package io.solidus.wallet.trust;

import io.solidus.protocol.Ed25519PublicKey;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Spec;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.trust.SignedManifest.KeyFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a wallet learns from the signed file of shapes before it opens the network's keys: the files
 * to fetch, and whether one file goes on where another ends. Whether the shapes are of constraints
 * that the wallet knows, the key set finds out when it opens.
 *
 * @param network id of the network
 * @param keyClass the class of the keys, such as ceremony
 * @param circuits the entries of all circuits, in the order of the file
 * @param transcripts the entries of the ceremonies, in the order of the file
 * @param files the proving and verifying keys of the shapes that this wallet knows
 */
public record SignedShapes(
    String network,
    String keyClass,
    List<JsonNode> circuits,
    List<JsonNode> transcripts,
    List<KeyFile> files) {
  /** The name of the file of shapes in a folder of keys. */
  public static final String FILE = "shapes.json";

  /** The name of its signature in a folder of keys. */
  public static final String SIGNATURE_FILE = "shapes.sig";

  private static final String FORMAT = "solidus/shapes/v1";
  private static final int MAX_BYTES = 1 << 16;
  private static final int MAX_CIRCUITS = 64;

  /**
   * The versions of the circuits of shapes that this wallet knows, by their names: exactly those of
   * the native library, which opens no folder where a circuit that it knows has no keys.
   */
  private static final Map<String, Integer> KNOWN = Map.of("claim-16", 1, "pay-8", 1);

  public SignedShapes {
    circuits = List.copyOf(circuits);
    transcripts = List.copyOf(transcripts);
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
    byte[] content;
    byte[] signature;
    try {
      content = bytes(file);
      signature = bytes(keys.resolve(SIGNATURE_FILE));
    } catch (IOException | IllegalArgumentException e) {
      throw untrusted("the shapes in " + keys, e);
    }
    return Optional.of(of("the shapes in " + keys, content, signature, manifestKey));
  }

  /**
   * Reads shapes.
   *
   * @param what they are, for error texts
   * @param signature bytes of the file with the signature
   * @throws WalletException as {@link #read}
   */
  public static SignedShapes of(String what, byte[] content, byte[] signature, byte[] manifestKey) {
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

  /**
   * Whether a folder with this manifest may have these shapes in the place of those that it has:
   * they are of its network and class, and of the versions that this wallet knows, and they begin
   * with all that the others name. So no older file comes back.
   *
   * @param before the folder's, if it has any
   */
  @Spec("F-85")
  public boolean mayJoin(SignedManifest manifest, Optional<SignedShapes> before) {
    return manifest.kind() == NetworkKind.REGULATED
        && network.equals(manifest.network())
        && keyClass.equals(manifest.keyClass())
        && !transcripts.isEmpty() == keyClass.equals("ceremony")
        && !files.isEmpty()
        && circuits.stream().allMatch(SignedShapes::isUsable)
        && before.map(this::follows).orElse(true);
  }

  private boolean follows(SignedShapes before) {
    return circuits.size() > before.circuits.size()
        && circuits.subList(0, before.circuits.size()).equals(before.circuits)
        && transcripts.size() >= before.transcripts.size()
        && transcripts.subList(0, before.transcripts.size()).equals(before.transcripts);
  }

  /** A circuit of another version would keep this wallet from opening its keys. */
  private static boolean isUsable(JsonNode circuit) {
    Integer version = KNOWN.get(circuit.path("name").asString(""));
    return version == null || circuit.path("version").asInt(0) == version;
  }

  private static SignedShapes verified(byte[] content, String signature, byte[] manifestKey) {
    if (content.length > MAX_BYTES) {
      throw new IllegalArgumentException("the file is too long");
    }
    byte[] signed = HexFormat.of().parseHex(signature.strip());
    if (!new Ed25519PublicKey(manifestKey).verify(content, signed)) {
      throw new IllegalArgumentException("the pinned key did not sign them");
    }
    JsonNode shapes = JsonMapper.shared().readTree(content);
    if (!shapes.path("format").asString("").equals(FORMAT)) {
      throw new IllegalArgumentException("the file has another format");
    }
    List<JsonNode> circuits = each(shapes.path("circuits"));
    if (circuits.size() > MAX_CIRCUITS) {
      throw new IllegalArgumentException("the file names too many circuits");
    }
    List<KeyFile> files = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (JsonNode circuit : circuits) {
      String name = circuit.path("name").asString("");
      if (name.isEmpty() || !names.add(name)) {
        throw new IllegalArgumentException("the file names a circuit twice, or one without a name");
      }
      if (KNOWN.containsKey(name)) {
        files.addAll(SignedManifest.keyFiles(circuit));
      }
    }
    return new SignedShapes(
        shapes.path("networkId").asString(""),
        shapes.path("class").asString(""),
        circuits,
        each(shapes.path("transcripts")),
        files);
  }

  private static List<JsonNode> each(JsonNode list) {
    List<JsonNode> all = new ArrayList<>();
    list.forEach(all::add);
    return all;
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
