package io.solidus.edge.gateway.parameters;

import io.solidus.networkkeys.NetworkProperties;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.prover.KeySet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The folder of the network's keys: the manifest, which was verified when the key set was opened,
 * and the files that it and the shapes name by their digests. A file is found by its digest alone,
 * so nothing else in the folder can be asked for.
 */
@Component
public class KeyFolder {
  private final byte[] manifest;
  private final byte[] signature;
  private final String format;
  private final boolean provingKeys;
  private final Map<Digest32, Path> files = new HashMap<>();
  private final Optional<SignedFile> shapes;

  /** The exact bytes of a file and of its signature's file. */
  record SignedFile(byte[] content, byte[] signature) {}

  /**
   * Reads the folder.
   *
   * @param keys the verified set
   * @throws IOException when the manifest or the shapes cannot be read
   * @throws IllegalStateException when they are not those that were verified
   */
  KeyFolder(NetworkProperties network, KeySet keys) throws IOException {
    Path folder = network.keysDir();
    manifest = Files.readAllBytes(folder.resolve("manifest.json"));
    signature = Files.readAllBytes(folder.resolve("manifest.sig"));
    if (!Digest32.sha256(manifest).equals(keys.manifestDigest())) {
      throw new IllegalStateException("the key manifest changed while the service started");
    }
    JsonNode read = JsonMapper.shared().readTree(manifest);
    format = read.path("format").asString("");
    boolean proving = false;
    for (JsonNode circuit : read.path("circuits")) {
      add(folder, circuit.path("verifyingKey"));
      proving |= add(folder, circuit.path("provingKey"));
    }
    provingKeys = proving;
    shapes =
        keys.shapesDigest().isPresent()
            ? Optional.of(readShapes(folder, keys.shapesDigest().get()))
            : Optional.empty();
  }

  /** Reads the shapes, which were verified when the key set was opened, and adds their files. */
  private SignedFile readShapes(Path folder, Digest32 verified) throws IOException {
    SignedFile read =
        new SignedFile(
            Files.readAllBytes(folder.resolve("shapes.json")),
            Files.readAllBytes(folder.resolve("shapes.sig")));
    if (!Digest32.sha256(read.content()).equals(verified)) {
      throw new IllegalStateException("the shapes changed while the service started");
    }
    for (JsonNode circuit : JsonMapper.shared().readTree(read.content()).path("circuits")) {
      add(folder, circuit.path("verifyingKey"));
      add(folder, circuit.path("provingKey"));
    }
    return read;
  }

  /** Adds a file of the manifest if this folder has all of it. */
  private boolean add(Path folder, JsonNode entry) throws IOException {
    Path file = folder.resolve(entry.path("file").asString(""));
    if (!Files.isRegularFile(file) || Files.size(file) != entry.path("size").asLong(-1)) {
      return false;
    }
    files.put(Digest32.fromHex(entry.path("sha256").asString("")), file);
    return true;
  }

  /** The exact bytes of the manifest. */
  byte[] manifest() {
    return manifest.clone();
  }

  /** The exact bytes of the manifest's signature. */
  byte[] signature() {
    return signature.clone();
  }

  /** The file of shapes; empty where the network has none. */
  Optional<SignedFile> shapes() {
    return shapes;
  }

  /** The format of the manifest, such as solidus/keys/v1. */
  public String format() {
    return format;
  }

  /** Whether the folder has proving keys; a gateway needs none. */
  public boolean hasProvingKeys() {
    return provingKeys;
  }

  /**
   * The file with this digest.
   *
   * @throws ProtocolException not-found when the manifest names none, or the folder lacks it
   */
  Path file(Digest32 digest) {
    return Optional.ofNullable(files.get(digest))
        .orElseThrow(() ->
            new ProtocolException(
                RejectionCode.NOT_FOUND, "this gateway has no key file with this digest"));
  }
}
