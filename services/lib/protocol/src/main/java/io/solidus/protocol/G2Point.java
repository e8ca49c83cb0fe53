package io.solidus.protocol;

import java.util.Arrays;

/**
 * A point of G2 of BLS12-377 as its affine coordinates. Checked here: length, canonical
 * coordinates, not the identity. Checked by the native library before use: on the curve, in the
 * subgroup of order r.
 *
 * @param bytes 192 bytes: x.A1, x.A0, y.A1, y.A0, 48 bytes big endian each (gnark-crypto's raw
 *     form); no flag bits
 */
public record G2Point(byte[] bytes) {
  public static final int BYTES = 192;

  /**
   * @throws ProtocolException malformed-request, or identity-point for the all-zero encoding
   */
  public G2Point {
    bytes = Bytes.fixed(bytes, BYTES, "a G2 point");
    for (int offset = 0; offset < BYTES; offset += FieldElement.BYTES) {
      FieldElement.requireCanonical(bytes, offset);
    }
    if (Bytes.allZero(bytes)) {
      throw new ProtocolException(RejectionCode.IDENTITY_POINT, "a G2 point is the identity");
    }
  }

  public static G2Point of(byte[] bytes) {
    return new G2Point(bytes);
  }

  public static G2Point fromHex(String hex) {
    return new G2Point(Bytes.fromHex(hex, "a G2 point"));
  }

  @Override
  public byte[] bytes() {
    return bytes.clone();
  }

  public String hex() {
    return Bytes.hex(bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof G2Point that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "G2Point[" + hex().substring(0, 12) + "...]";
  }
}
