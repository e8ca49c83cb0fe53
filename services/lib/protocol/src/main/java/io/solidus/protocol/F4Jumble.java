package io.solidus.protocol;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * F4Jumble (ZIP 316): a public permutation of byte strings of one length in which every byte of the
 * result depends on every byte of the input. Four Feistel rounds over BLAKE2b.
 */
@Spec("F-12")
final class F4Jumble {
  static final int MIN_BYTES = 48;
  static final int MAX_BYTES = 4_194_368;
  private static final byte[] LEFT_USE = Bytes.utf8("UA_F4Jumble_H");
  private static final byte[] RIGHT_USE = Bytes.utf8("UA_F4Jumble_G");

  private F4Jumble() {}

  /**
   * Jumbles 48 to 4,194,368 bytes.
   *
   * @throws IllegalArgumentException for another length
   */
  static byte[] jumble(byte[] message) {
    byte[] out = copy(message);
    mixRight(out, 0);
    mixLeft(out, 0);
    mixRight(out, 1);
    mixLeft(out, 1);
    return out;
  }

  /**
   * Undoes {@link #jumble}.
   *
   * @throws IllegalArgumentException for a length that it does not return
   */
  static byte[] unjumble(byte[] jumbled) {
    byte[] out = copy(jumbled);
    mixLeft(out, 1);
    mixRight(out, 1);
    mixLeft(out, 0);
    mixRight(out, 0);
    return out;
  }

  private static byte[] copy(byte[] message) {
    if (message.length < MIN_BYTES || message.length > MAX_BYTES) {
      throw new IllegalArgumentException("F4Jumble takes 48 to 4,194,368 bytes");
    }
    return message.clone();
  }

  /** The length of the left part. */
  private static int split(byte[] message) {
    return Math.min(Blake2b.MAX_BYTES, message.length / 2);
  }

  /** Adds a hash of the right part to the left part. */
  private static void mixLeft(byte[] message, int round) {
    int split = split(message);
    byte[] right = Arrays.copyOfRange(message, split, message.length);
    add(message, 0, Blake2b.hash(split, use(LEFT_USE, round, 0), right));
  }

  /** Adds a hash of the left part, as long as needed, to the right part. */
  private static void mixRight(byte[] message, int round) {
    int split = split(message);
    byte[] left = Arrays.copyOf(message, split);
    for (int at = split, block = 0; at < message.length; at += Blake2b.MAX_BYTES, block++) {
      add(message, at, Blake2b.hash(Blake2b.MAX_BYTES, use(RIGHT_USE, round, block), left));
    }
  }

  /** The name of the hash, the round in one byte, the block in two bytes, little endian. */
  private static byte[] use(byte[] name, int round, int block) {
    return ByteBuffer.allocate(Blake2b.PERSONALISATION_BYTES)
        .put(name)
        .put((byte) round)
        .put((byte) block)
        .put((byte) (block >>> 8))
        .array();
  }

  private static void add(byte[] message, int at, byte[] mask) {
    for (int i = 0; i < mask.length && at + i < message.length; i++) {
      message[at + i] ^= mask[i];
    }
  }
}
