package io.solidus.dev.processes;

import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.prover.KeyClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import tools.jackson.databind.json.JsonMapper;

/**
 * A network's key folder as {@code DevelopmentKeys} lays it out: verifying keys, committee and one
 * file with the share and the note key of each authority.
 *
 * @param manifestKey the Ed25519 key that signs the folder's manifest
 * @param keyClass development or load-test
 */
public record NetworkFiles(
    NetworkId id, NetworkKind kind, KeyClass keyClass, Path directory, byte[] manifestKey) {

  public String manifestKeyBase64() {
    return Base64.getEncoder().encodeToString(manifestKey);
  }

  /** The key share of an authority, 1 to N. */
  public Path share(int authority) {
    return directory.resolve("shares").resolve("authority-" + authority + ".json");
  }

  /** The seed an authority countersigns notes with. */
  byte[] noteKeySeed(int authority) throws IOException {
    return HexFormat.of()
        .parseHex(
            JsonMapper.shared()
                .readTree(Files.readString(share(authority)))
                .get("noteKeySeed")
                .asString());
  }
}
