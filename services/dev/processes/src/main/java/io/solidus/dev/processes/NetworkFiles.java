package io.solidus.dev.processes;

import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.prover.KeyClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * A network's key folder as {@code DevelopmentKeys} lays it out: verifying keys, committee, and one
 * file with the share and the note key of each authority.
 *
 * @param keyClass development or load-test
 * @param manifestKey the Ed25519 key that signs the folder's manifest, in base64
 */
public record NetworkFiles(
    NetworkId id, NetworkKind kind, KeyClass keyClass, Path directory, String manifestKey) {

  /** The properties by which a service opens these keys. */
  public Map<String, Object> properties() {
    return Map.of(
        "solidus.network.id",
        id.value(),
        "solidus.network.kind",
        kind,
        "solidus.network.keys-dir",
        directory,
        "solidus.network.manifest-key",
        manifestKey,
        "solidus.network.allowed-key-classes",
        keyClass);
  }

  /** The file with the key share of an authority, 1 to N. */
  Path share(int authority) {
    return directory.resolve("shares").resolve("authority-" + authority + ".json");
  }

  /** The seed of the key with which an authority countersigns notes. */
  byte[] noteKeySeed(int authority) throws IOException {
    return HexFormat.of()
        .parseHex(
            JsonMapper.shared()
                .readTree(Files.readString(share(authority)))
                .get("noteKeySeed")
                .asString());
  }
}
