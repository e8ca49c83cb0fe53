package io.solidus.protocol;

/**
 * A point of G2 of BLS12-381 as its affine coordinates: x.A1, x.A0, y.A1, y.A0, 48 bytes big endian
 * each (gnark-crypto's raw form), no flag bits.
 *
 * <p>The constructor checks length, canonical coordinates and that the point is not the identity.
 * The native library checks curve and subgroup (order r) before it uses the point.
 */
public final class G2Point extends FixedBytes {
  public static final int BYTES = 192;

  /**
   * @param bytes 192 bytes
   * @throws ProtocolException malformed-request, or identity-point for the all-zero encoding
   */
  public G2Point(byte[] bytes) {
    super(bytes, BYTES, "a G2 point");
    requireBelow(G1Point.MODULUS_BYTES, "a coordinate");
    if (allZero()) {
      throw new ProtocolException(RejectionCode.IDENTITY_POINT, "a G2 point is the identity");
    }
  }

  public static G2Point of(byte[] bytes) {
    return new G2Point(bytes);
  }
}
