package io.solidus.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * BLAKE2b (RFC 7693) without a key and with a personalisation, which separates its uses. The JDK
 * does not have it, and this module depends on the JDK only. Its inputs are short and public.
 */
final class Blake2b {
  static final int MAX_BYTES = 64;
  static final int PERSONALISATION_BYTES = 16;
  private static final int BLOCK = 128;
  private static final int ROUNDS = 12;

  /** Fan-out 1 and depth 1: the hash is no tree. */
  private static final long SEQUENTIAL = 0x01010000L;

  private static final long[] IV = {
    0x6a09e667f3bcc908L, 0xbb67ae8584caa73bL, 0x3c6ef372fe94f82bL, 0xa54ff53a5f1d36f1L,
    0x510e527fade682d1L, 0x9b05688c2b3e6c1fL, 0x1f83d9abfb41bd6bL, 0x5be0cd19137e2179L
  };

  /** The order of a block's words in each round; the rounds 11 and 12 use the first two again. */
  private static final String[] SIGMA = {
    "0123456789abcdef",
    "ea489fd61c02b753",
    "b8c052fdae367194",
    "7931dcbe265a40f8",
    "905724afe1bc683d",
    "2c6a0b834d75fe19",
    "c51fed4a0763928b",
    "db7ec13950f4862a",
    "6fe9b308c2d714a5",
    "a2847615fb9e3cd0"
  };

  private Blake2b() {}

  /**
   * Hashes a message.
   *
   * @param length of the result, 1 to 64 bytes
   * @param personalisation 16 bytes
   */
  static byte[] hash(int length, byte[] personalisation, byte[] message) {
    long[] state = IV.clone();
    state[0] ^= SEQUENTIAL | length;
    ByteBuffer use = ByteBuffer.wrap(personalisation).order(ByteOrder.LITTLE_ENDIAN);
    state[6] ^= use.getLong();
    state[7] ^= use.getLong();
    int at = 0;
    for (; message.length - at > BLOCK; at += BLOCK) {
      compress(state, words(message, at), at + BLOCK, false);
    }
    compress(state, words(message, at), message.length, true);
    ByteBuffer out = ByteBuffer.allocate(MAX_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (long word : state) {
      out.putLong(word);
    }
    return Arrays.copyOf(out.array(), length);
  }

  /** The words of one block, with zeros behind the message's end. */
  private static long[] words(byte[] message, int at) {
    long[] words = new long[BLOCK / Long.BYTES];
    ByteBuffer.wrap(Arrays.copyOfRange(message, at, at + BLOCK))
        .order(ByteOrder.LITTLE_ENDIAN)
        .asLongBuffer()
        .get(words);
    return words;
  }

  /**
   * Mixes one block into the state.
   *
   * @param count bytes of the message up to the end of this block
   */
  private static void compress(long[] state, long[] words, int count, boolean last) {
    long[] v = Arrays.copyOf(state, 16);
    System.arraycopy(IV, 0, v, 8, IV.length);
    v[12] ^= count;
    v[14] ^= last ? -1L : 0;
    for (int round = 0; round < ROUNDS; round++) {
      String order = SIGMA[round % SIGMA.length];
      for (int i = 0; i < 4; i++) {
        mix(v, i, i + 4, i + 8, i + 12, words, order, 2 * i);
      }
      for (int i = 0; i < 4; i++) {
        mix(v, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, words, order, 8 + 2 * i);
      }
    }
    for (int i = 0; i < state.length; i++) {
      state[i] ^= v[i] ^ v[i + 8];
    }
  }

  private static void mix(
      long[] v, int a, int b, int c, int d, long[] words, String order, int place) {
    v[a] += v[b] + words[Character.digit(order.charAt(place), 16)];
    v[d] = Long.rotateRight(v[d] ^ v[a], 32);
    v[c] += v[d];
    v[b] = Long.rotateRight(v[b] ^ v[c], 24);
    v[a] += v[b] + words[Character.digit(order.charAt(place + 1), 16)];
    v[d] = Long.rotateRight(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = Long.rotateRight(v[b] ^ v[c], 63);
  }
}
