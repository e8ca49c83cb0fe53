package io.solidus.authority.signer;

import io.solidus.authority.common.InternalToken;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.prover.Share;

/**
 * The secrets of the share file.
 *
 * @param share in native memory
 * @param noteKey signs votes
 * @param token derived from the note key
 */
record SignerSecrets(Share share, Ed25519PrivateKey noteKey, InternalToken token)
    implements AutoCloseable {
  @Override
  public void close() {
    noteKey.close();
    share.close();
  }
}
