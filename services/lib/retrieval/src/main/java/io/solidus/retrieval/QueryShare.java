package io.solidus.retrieval;

import io.solidus.protocol.ProtocolException;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * What one server gets of a query: one bit for each record, whether it belongs to the sum. The bits
 * are given either as they are, or as a seed from which they follow, which is shorter. Bit i is bit
 * i mod 8, from the least significant one, of byte i / 8.
 */
public final class QueryShare {
  /** The length of a seed, in bytes. */
  public static final int SEED_BYTES = 32;

  private static final byte SEED = 0;
  private static final byte BITS = 1;
  private static final byte[] NO_NONCE = new byte[16]; // a seed serves one query

  /** The form, then a seed or bits. */
  private final byte[] encoded;

  private QueryShare(byte[] encoded) {
    this.encoded = encoded;
  }

  static QueryShare ofSeed(byte[] seed) {
    return new QueryShare(concat(SEED, seed));
  }

  static QueryShare ofBits(byte[] bits) {
    return new QueryShare(concat(BITS, bits));
  }

  /**
   * Reads a share: {@code u8 0 || seed 32} or {@code u8 1 || bits}.
   *
   * @throws ProtocolException malformed-request for another form or a seed of another length. How
   *     many bits there must be depends on the table, which refuses another number.
   */
  public static QueryShare decode(byte[] encoded) {
    boolean known =
        encoded.length > 1
            && (encoded[0] == BITS || (encoded[0] == SEED && encoded.length == 1 + SEED_BYTES));
    if (!known) {
      throw ProtocolException.malformed("a share is a seed of " + SEED_BYTES + " bytes, or bits");
    }
    return new QueryShare(encoded.clone());
  }

  /** The share as {@link #decode} reads it. */
  public byte[] encode() {
    return encoded.clone();
  }

  /**
   * The bits, in as many bytes as a table of so many records needs. Bits beyond its last record say
   * nothing.
   *
   * @throws ProtocolException malformed-request when the share has bits of another number
   */
  byte[] bits(int records) {
    int length = bytesFor(records);
    if (encoded[0] == BITS) {
      if (encoded.length != 1 + length) {
        throw ProtocolException.malformed(
            "a share for " + records + " records has " + length + " bytes of bits");
      }
      return Arrays.copyOfRange(encoded, 1, encoded.length);
    }
    return expand(Arrays.copyOfRange(encoded, 1, encoded.length), length);
  }

  static int bytesFor(int records) {
    return (records + 7) / 8;
  }

  /** The key stream of AES-256 in counter mode. */
  private static byte[] expand(byte[] seed, int length) {
    try {
      Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
      cipher.init(
          Cipher.ENCRYPT_MODE, new SecretKeySpec(seed, "AES"), new IvParameterSpec(NO_NONCE));
      return cipher.doFinal(new byte[length]);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES in counter mode", e);
    }
  }

  private static byte[] concat(byte form, byte[] content) {
    byte[] encoded = new byte[1 + content.length];
    encoded[0] = form;
    System.arraycopy(content, 0, encoded, 1, content.length);
    return encoded;
  }
}
