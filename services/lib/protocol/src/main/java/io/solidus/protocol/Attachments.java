package io.solidus.protocol;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Opaque blocks that accompany a transfer, of a length that its family alone decides. The
 * transfer's context binds them to it.
 *
 * @param payoutBlock 512 bytes: a payout instruction sealed to the redemption service, or random
 *     bytes, so that nobody else sees whether a transfer has one
 * @param memoBlock 1024 bytes, of a transfer to several payees 2560: a memo that the wallet sealed
 *     to itself
 */
public record Attachments(byte[] payoutBlock, byte[] memoBlock) {
  public static final int PAYOUT_BYTES = 512;
  public static final int MEMO_BYTES = 1024;

  /** Of a transfer to several payees, whose memo names them all (F-82). */
  public static final int LONG_MEMO_BYTES = 2560;

  private static final int X25519_BYTES = 32;

  public Attachments {
    payoutBlock = Bytes.fixed(payoutBlock, PAYOUT_BYTES, "a payout block");
    memoBlock =
        Bytes.fixed(
            memoBlock,
            memoBlock != null && memoBlock.length == LONG_MEMO_BYTES ? LONG_MEMO_BYTES : MEMO_BYTES,
            "a memo block");
  }

  /**
   * Requires the memo block of a statement's family: another length would mark a transfer, or be
   * stored for nothing.
   *
   * @throws ProtocolException malformed-request
   */
  void requireMemoOf(Family family) {
    if (memoBlock.length != family.memoBytes()) {
      throw ProtocolException.malformed("a memo block has the length of its family's");
    }
  }

  /**
   * Attachments of a transfer without a payout.
   *
   * @param random of the payout block; a wallet's is secure
   */
  public static Attachments withoutPayout(byte[] memoBlock, RandomGenerator random) {
    byte[] payoutBlock = new byte[PAYOUT_BYTES];
    random.nextBytes(payoutBlock);
    return withoutPayout(memoBlock, payoutBlock);
  }

  /**
   * Attachments without a payout.
   *
   * @param noise bytes of the payout block that look random
   */
  public static Attachments withoutPayout(byte[] memoBlock, byte[] noise) {
    byte[] payoutBlock = noise.clone();
    // a sealed block starts with an X25519 key, whose highest bit is zero
    payoutBlock[X25519_BYTES - 1] &= 0x7f;
    return new Attachments(payoutBlock, memoBlock);
  }

  /** SHA-256("solidus/context/v1" || network digest || payout block || memo block). */
  @Spec("E-13")
  public Digest32 context(NetworkId network) {
    return new Digest32(
        new Transcript("solidus/context/v1")
            .bytes(network.digest().bytes())
            .bytes(payoutBlock)
            .bytes(memoBlock)
            .sha256());
  }

  @Override
  public byte[] payoutBlock() {
    return payoutBlock.clone();
  }

  @Override
  public byte[] memoBlock() {
    return memoBlock.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Attachments that
        && Arrays.equals(payoutBlock, that.payoutBlock)
        && Arrays.equals(memoBlock, that.memoBlock);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(payoutBlock) + Arrays.hashCode(memoBlock);
  }

  @Override
  public String toString() {
    return "Attachments[redacted]";
  }
}
