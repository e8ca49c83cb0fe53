package io.solidus.protocol;

import java.util.stream.IntStream;

/**
 * A part of the network's mailbox. The number is a node of a binary tree: 1 is the whole mailbox,
 * and the parts of n are 2n and 2n + 1. A network divides its mailbox into 2^k parts; k may grow. A
 * message that was posted to a node is for an address below or above it, so that wallets with
 * another k find it, too.
 *
 * @param number 1 to 127
 */
@Spec("F-48")
public record MailboxBucket(int number) {
  /** The most bits of an address that a bucket may tell. */
  public static final int MAX_BITS = 6;

  /** The highest number. */
  public static final int MAX = (2 << MAX_BITS) - 1;

  /** All messages, and the place of those that name no bucket. */
  public static final MailboxBucket WHOLE = new MailboxBucket(1);

  private static final String DOMAIN = "solidus/mailbox-bucket/v1";

  /**
   * @throws ProtocolException malformed-request for a number out of range
   */
  public MailboxBucket {
    if (number < 1 || number > MAX) {
      throw ProtocolException.malformed("a bucket of the mailbox has a number from 1 to " + MAX);
    }
  }

  /**
   * The bucket of an address, which never changes.
   *
   * @param bits of the network's buckets, 0 to {@link #MAX_BITS}
   */
  public static MailboxBucket of(NetworkId network, Apk apk, int bits) {
    if (bits < 0 || bits > MAX_BITS) {
      throw ProtocolException.malformed("a bucket tells 0 to " + MAX_BITS + " bits of an address");
    }
    byte[] digest =
        new Transcript(DOMAIN).bytes(network.digest().bytes()).bytes(apk.bytes()).sha256();
    return new MailboxBucket((1 << bits) + (Byte.toUnsignedInt(digest[0]) >> (Byte.SIZE - bits)));
  }

  public boolean isWhole() {
    return number == WHOLE.number;
  }

  /** Whether a reader of this bucket gets what was posted to the other one. */
  public boolean reads(MailboxBucket posted) {
    return isOnThePathOf(posted.number, number) || isOnThePathOf(number, posted.number);
  }

  /** The numbers of the buckets whose messages a reader of this one gets, ascending. */
  public int[] read() {
    return IntStream.rangeClosed(1, MAX)
        .filter(posted -> reads(new MailboxBucket(posted)))
        .toArray();
  }

  private static boolean isOnThePathOf(int node, int below) {
    int levels = Integer.numberOfLeadingZeros(node) - Integer.numberOfLeadingZeros(below);
    return levels >= 0 && below >> levels == node;
  }
}
