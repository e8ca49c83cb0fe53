package io.solidus.authority.signer;

import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.Ed25519PrivateKey;
import io.solidus.prover.Share;

/**
 * A share with its epoch and the note key that votes in that epoch.
 *
 * @param share in native memory
 */
record HeldShare(int epoch, Share share, Ed25519PrivateKey noteKey) implements AutoCloseable {

  /**
   * Requires that the public keys are the member's.
   *
   * @throws IllegalStateException when they are not
   */
  void requireMember(CommitteeMember member) {
    if (!share.matches(member)) {
      throw new IllegalStateException(
          "the key share of epoch " + epoch + " does not belong to the committee in the manifest");
    }
    if (!noteKey.publicKey().equals(member.noteKey())) {
      throw new IllegalStateException(
          "the note key of epoch " + epoch + " does not belong to the committee in the manifest");
    }
  }

  @Override
  public void close() {
    noteKey.close();
    share.close();
  }
}
