package io.solidus.protocol;

import java.math.BigInteger;

/**
 * A point of G1 of BLS12-381 as its affine coordinates: x then y, 48 bytes big endian each, no flag
 * bits.
 *
 * <p>The constructor checks length, canonical coordinates and that the point is not the identity.
 * The native library checks curve and subgroup (order r) before it uses the point.
 */
public final class G1Point extends FixedBytes {
  public static final int BYTES = 96;

  /** q, the modulus of the coordinates: BLS12-381's base field (381 bits). */
  public static final BigInteger MODULUS =
      new BigInteger(
          "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab",
          16);

  static final byte[] MODULUS_BYTES = Bytes.leftPadded(MODULUS, BYTES / 2);

  /**
   * @param bytes 96 bytes
   * @throws ProtocolException malformed-request, or identity-point for the all-zero encoding
   */
  public G1Point(byte[] bytes) {
    super(bytes, BYTES, "a G1 point");
    requireBelow(MODULUS_BYTES, "a coordinate");
    if (allZero()) {
      throw new ProtocolException(RejectionCode.IDENTITY_POINT, "a G1 point is the identity");
    }
  }

  public static G1Point of(byte[] bytes) {
    return new G1Point(bytes);
  }

  public static G1Point fromHex(String hex) {
    return new G1Point(Bytes.fromHex(hex, "a G1 point"));
  }
}
