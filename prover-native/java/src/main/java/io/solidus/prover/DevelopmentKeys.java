package io.solidus.prover;

import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * Makes a directory of development keys, or finds that it is already there. It takes about a minute
 * the first time and reports its progress on the error stream; two processes that ask for the same
 * directory wait for each other. Whoever runs this could forge money under the keys it makes, which
 * is why their class says so.
 */
public final class DevelopmentKeys {
  private static final int FINGERPRINT_BYTES = 6;

  private DevelopmentKeys() {}

  /**
   * The directory for a network's keys beside others of the same name: its name ends with a
   * fingerprint of the circuits of this library, so that keys made for other circuits are left
   * alone and never offered.
   *
   * @param cache where the directory would be if circuits never changed
   */
  public static Path directory(Path cache, NetworkId network, NetworkKind kind) {
    byte[] digest = Call.of(Operation.KEYS_FINGERPRINT, network).u8(Codes.kind(kind)).send().rest();
    return cache.resolveSibling(
        cache.getFileName() + "-" + HexFormat.of().formatHex(digest, 0, FINGERPRINT_BYTES));
  }

  /**
   * @param validators 3f+1
   * @return the manifest's public key, to pin
   * @throws NativeException KEYS_MISMATCH when the directory holds keys of other circuits, another
   *     network or another committee
   */
  public static byte[] make(Path dir, NetworkId network, NetworkKind kind, int validators) {
    return Call.of(Operation.KEYS_MAKE, network)
        .u8(Codes.kind(kind))
        .u8(KeyClass.DEVELOPMENT.mask())
        .u32(validators)
        .text(dir.toAbsolutePath().toString())
        .send()
        .rest();
  }
}
