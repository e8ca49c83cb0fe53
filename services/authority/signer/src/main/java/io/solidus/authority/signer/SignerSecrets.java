package io.solidus.authority.signer;

import io.solidus.authority.common.InternalToken;

/**
 * The secrets of the share files.
 *
 * @param token derived from the present note key
 */
record SignerSecrets(SigningShares shares, InternalToken token) implements AutoCloseable {
  @Override
  public void close() {
    shares.close();
  }
}
