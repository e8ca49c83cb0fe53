package io.solidus.protocol;

import java.util.Arrays;

/**
 * A point of G1 of BLS12-377 as its affine coordinates. Checked here: length, canonical
 * coordinates, not the identity. Checked by the native library before use: on the curve, in the
 * subgroup of order r.
 *
 * @param bytes 96 bytes: x then y, 48 bytes big endian each; no flag bits
 */
public record G1Point(byte[] bytes) {
  public static final int BYTES = 96;

  /**
   * @throws ProtocolException malformed-request, or identity-point for the all-zero encoding
   */
  public G1Point {
    bytes = Bytes.fixed(bytes, BYTES, "a G1 point");
    for (int offset = 0; offset < BYTES; offset += FieldElement.BYTES) {
      FieldElement.requireCanonical(bytes, offset);
    }
    if (Bytes.allZero(bytes)) {
      throw new ProtocolException(RejectionCode.IDENTITY_POINT, "a G1 point is the identity");
    }
  }

  public static G1Point of(byte[] bytes) {
    return new G1Point(bytes);
  }

  public static G1Point fromHex(String hex) {
    return new G1Point(Bytes.fromHex(hex, "a G1 point"));
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
    return other instanceof G1Point that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "G1Point[" + hex().substring(0, 12) + "...]";
  }
}
