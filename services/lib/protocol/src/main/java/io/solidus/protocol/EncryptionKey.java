package io.solidus.protocol;

import java.math.BigInteger;
import java.util.Set;

/** An X25519 public key (RFC 7748) that coins for its owner are sealed to. */
public final class EncryptionKey extends FixedBytes {
  public static final int BYTES = 32;

  /** p = 2^255 - 19. */
  private static final BigInteger MODULUS =
      BigInteger.ONE.shiftLeft(255).subtract(BigInteger.valueOf(19));

  /** The points of order 1, 2, 4 and 8 of the curve and of its twist. */
  private static final Set<BigInteger> SMALL_ORDER =
      Set.of(
          BigInteger.ZERO,
          BigInteger.ONE,
          MODULUS.subtract(BigInteger.ONE),
          new BigInteger(
              "325606250916557431795983626356110631294008115727848805560023387167927233504"),
          new BigInteger(
              "39382357235489614581723060781553021112529911719440698176882885853963445705823"));

  /**
   * @param bytes 32 bytes
   */
  public EncryptionKey(byte[] bytes) {
    super(bytes, BYTES, "an encryption key");
  }

  public static EncryptionKey of(byte[] bytes) {
    return new EncryptionKey(bytes);
  }

  public static EncryptionKey fromHex(String hex) {
    return new EncryptionKey(Bytes.fromHex(hex, "an encryption key"));
  }

  /**
   * Returns whether messages can be sealed to this key: its number is below 2^255 - 19, as every
   * public key's is, and it is not of small order, for which there is no shared secret.
   */
  boolean isUsable() {
    byte[] reversed = new byte[BYTES];
    for (int i = 0; i < BYTES; i++) {
      reversed[BYTES - 1 - i] = bytes[i];
    }
    BigInteger u = new BigInteger(1, reversed);
    return u.compareTo(MODULUS) < 0 && !SMALL_ORDER.contains(u);
  }
}
