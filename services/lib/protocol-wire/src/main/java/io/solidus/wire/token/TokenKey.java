package io.solidus.wire.token;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Spec;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HexFormat;
import org.bouncycastle.crypto.params.RSAKeyParameters;
import org.bouncycastle.util.BigIntegers;

/**
 * The public key of one day's tokens: RSA with 2048 bits and the exponent 65537. A key has one
 * encoding, so who compares bytes compares keys.
 */
@Spec("A-02")
public final class TokenKey {
  /** Bytes of a modulus, of a blinded message and of a signature. */
  public static final int MODULUS_BYTES = 256;

  static final BigInteger EXPONENT = BigInteger.valueOf(65_537);

  /**
   * DER up to the modulus: id-RSASSA-PSS with SHA-384, MGF1 with SHA-384 and 48 bytes of salt, then
   * the lengths, and the zero byte before a number whose highest bit is set.
   */
  private static final byte[] BEFORE =
      HexFormat.of()
          .parseHex(
              "30820152303d06092a864886f70d01010a3030a00d300b0609608648016503040202a11a3018"
                  + "06092a864886f70d010108300b0609608648016503040202a2030201300382010f00"
                  + "3082010a0282010100");

  /** DER of the exponent. */
  private static final byte[] AFTER = HexFormat.of().parseHex("0203010001");

  private static final int SPKI_BYTES = BEFORE.length + MODULUS_BYTES + AFTER.length;

  private final byte[] spki;
  private final Digest32 id;
  private final RSAKeyParameters parameters;

  private TokenKey(byte[] spki) {
    this.spki = spki;
    this.id = Digest32.sha256(spki);
    BigInteger modulus = BigIntegers.fromUnsignedByteArray(spki, BEFORE.length, MODULUS_BYTES);
    if (modulus.bitLength() != Byte.SIZE * MODULUS_BYTES) {
      throw notAKey();
    }
    try {
      this.parameters = new RSAKeyParameters(false, modulus, EXPONENT);
    } catch (IllegalArgumentException e) { // even, a prime, or with a small factor
      throw notAKey();
    }
  }

  /**
   * Reads a key.
   *
   * @param spki SubjectPublicKeyInfo in DER, as RFC 9578 section 6.5 has it
   * @throws ProtocolException malformed-request for any other bytes
   */
  public static TokenKey of(byte[] spki) {
    if (spki.length != SPKI_BYTES
        || !Arrays.equals(spki, 0, BEFORE.length, BEFORE, 0, BEFORE.length)
        || !Arrays.equals(spki, SPKI_BYTES - AFTER.length, SPKI_BYTES, AFTER, 0, AFTER.length)) {
      throw notAKey();
    }
    return new TokenKey(spki.clone());
  }

  static TokenKey of(BigInteger modulus) {
    if (modulus.bitLength() != Byte.SIZE * MODULUS_BYTES) {
      throw notAKey();
    }
    return new TokenKey(
        org.bouncycastle.util.Arrays.concatenate(
            BEFORE, BigIntegers.asUnsignedByteArray(MODULUS_BYTES, modulus), AFTER));
  }

  private static ProtocolException notAKey() {
    return ProtocolException.malformed("a key of tokens is RSA with 2048 bits for RSASSA-PSS");
  }

  /** Returns a copy of the SubjectPublicKeyInfo in DER. */
  public byte[] spki() {
    return spki.clone();
  }

  /** SHA-256 of the SubjectPublicKeyInfo; tokens name their key by it. */
  public Digest32 id() {
    return id;
  }

  /** The last byte of the id; requests for tokens name the key by it, so that no key marks them. */
  int shortId() {
    return Byte.toUnsignedInt(id.bytes()[Digest32.BYTES - 1]);
  }

  RSAKeyParameters parameters() {
    return parameters;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TokenKey that && Arrays.equals(spki, that.spki);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  @Override
  public String toString() {
    return "TokenKey[" + id + "]";
  }
}
