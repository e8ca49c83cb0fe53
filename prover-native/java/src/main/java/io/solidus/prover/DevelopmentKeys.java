package io.solidus.prover;

import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import java.nio.file.Path;
import java.time.Duration;
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

  /**
   * A directory of development keys.
   *
   * @param manifestKey the manifest's public key, to pin
   */
  public record Made(Path dir, byte[] manifestKey) {}

  /**
   * Makes a directory beside that of a network's keys, with the same keys and with those of the
   * shapes that this library knows, unless it exists. The first time takes some two minutes of a
   * core. Its name has a fingerprint of the shapes.
   *
   * @param keys the directory, with all shares
   * @throws NativeException one of the KEYS codes
   */
  public static Made withShapes(
      Path keys, NetworkId network, NetworkKind kind, byte[] manifestKey) {
    NativeReply reply =
        NativeRequest.of(Operation.KEYS_SHAPES, network)
            .kind(kind)
            .sized(manifestKey)
            .text(keys.toAbsolutePath().toString())
            .send();
    byte[] made = reply.bytes(reply.u32());
    return new Made(Path.of(reply.text()), made);
  }

  /**
   * Makes fresh shares of the same key in another directory, as a refresh of the committee does.
   * The former shares stay where they are.
   *
   * @param keys the directory, with all shares, of the development or load-test class
   * @param overlap how long authorities sign with the former shares too, from now
   * @param formerNoteKeys how long a note key counts that its authority no longer has
   * @param newNoteKey the authority that gets another note key, or 0
   * @return the new manifest's public key, to pin
   * @throws NativeException KEYS_CLASS for other keys, or one of the KEYS codes
   */
  public static byte[] refresh(
      KeySet keys,
      Path keysDir,
      byte[] manifestKey,
      Path dir,
      Duration overlap,
      Duration formerNoteKeys,
      int newNoteKey) {
    return NativeRequest.of(Operation.KEYS_REFRESH, keys.network())
        .kind(keys.kind())
        .u8(keys.keyClass().mask())
        .u32((int) overlap.toSeconds())
        .u32((int) formerNoteKeys.toSeconds())
        .u32(newNoteKey)
        .sized(manifestKey)
        .text(keysDir.toAbsolutePath().toString())
        .text(dir.toAbsolutePath().toString())
        .send()
        .rest();
  }
}
