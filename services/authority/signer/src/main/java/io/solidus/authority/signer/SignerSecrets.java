package io.solidus.authority.signer;

import io.solidus.authority.common.InternalToken;
import io.solidus.prover.Share;

/**
 * The secrets of the share file.
 *
 * @param share in native memory
 * @param token derived from the note key
 */
record SignerSecrets(Share share, InternalToken token) implements AutoCloseable {
  @Override
  public void close() {
    share.close();
  }
}
