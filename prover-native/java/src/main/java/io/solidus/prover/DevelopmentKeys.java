package io.solidus.prover;

import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * Makes a directory of development keys, unless it exists. The first time takes about a minute, and
 * progress is written to the error stream. Two processes that make the same directory wait for each
 * other. The process that makes the keys could forge money under them, so their class is
 * DEVELOPMENT.
 */
public final class DevelopmentKeys {
  private static final int FINGERPRINT_BYTES = 6;

  private DevelopmentKeys() {}

  /**
   * Returns the directory for a network's keys. Its name ends with a fingerprint of the circuits of
   * this library, so that keys made for other circuits stay in their own directory and are never
   * used.
   *
   * @param cache where the directory would be if circuits never changed
   */
  public static Path directory(Path cache, NetworkId network, NetworkKind kind) {
    byte[] digest = NativeRequest.of(Operation.KEYS_FINGERPRINT, network).kind(kind).send().rest();
    return cache.resolveSibling(
        cache.getFileName() + "-" + HexFormat.of().formatHex(digest, 0, FINGERPRINT_BYTES));
  }

  /**
   * Makes the keys of a network.
   *
   * @param validators 3f+1
   * @return the manifest's public key, to pin
   * @throws NativeException KEYS_MISMATCH when the directory holds keys of other circuits, another
   *     network or another committee
   */
  public static byte[] make(Path dir, NetworkId network, NetworkKind kind, int validators) {
    return NativeRequest.of(Operation.KEYS_MAKE, network)
        .kind(kind)
        .u8(KeyClass.DEVELOPMENT.mask())
        .u32(validators)
        .text(dir.toAbsolutePath().toString())
        .send()
        .rest();
  }
}
