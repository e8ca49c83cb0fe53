package io.solidus.prover;

import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import java.nio.file.Path;

/**
 * Makes a directory of development keys, or finds that it is already there. It takes about a minute the first time and reports its progress
 * on the error stream; two processes that ask for the same directory wait for each other. Whoever runs this could forge money under the
 * keys it makes, which is why their class says so.
 */
public final class DevelopmentKeys {
  private DevelopmentKeys() {}

  /**
   * @param validators 3f+1
   * @return the manifest's public key, to pin
   * @throws NativeException KEYS_MISMATCH when the directory holds keys of other circuits, another network or another committee
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
