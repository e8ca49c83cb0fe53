package io.solidus.protocol;

/**
 * An owner's public key: a point of Jubjub, the twisted Edwards curve over F, as its affine
 * coordinates x then y, 32 bytes big endian each.
 *
 * <p>The constructor checks length, canonical coordinates and that the point is not the identity
 * (0, 1). The native library checks curve and subgroup (order l) before it uses the point.
 */
public final class KeyPoint extends FixedBytes {
  public static final int BYTES = 2 * FieldElement.BYTES;

  /**
   * @param bytes 64 bytes
   * @throws ProtocolException malformed-request, or identity-point
   */
  public KeyPoint(byte[] bytes) {
    super(bytes, BYTES, "a key point");
    FieldElement.requireElements(this);
    if (isIdentity()) {
      throw new ProtocolException(RejectionCode.IDENTITY_POINT, "a key point is the identity");
    }
  }

  public static KeyPoint of(byte[] bytes) {
    return new KeyPoint(bytes);
  }

  public static KeyPoint fromHex(String hex) {
    return new KeyPoint(Bytes.fromHex(hex, "a key point"));
  }

  private boolean isIdentity() {
    byte[] rest = bytes();
    rest[BYTES - 1] ^= 1;
    return Bytes.allZero(rest);
  }
}
