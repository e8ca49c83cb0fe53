package io.solidus.protocol;

import java.util.Base64;
import org.bouncycastle.math.ec.rfc8032.Ed25519;

/** An Ed25519 public key (RFC 8032). */
public final class Ed25519PublicKey extends FixedBytes {
  public static final int BYTES = 32;
  public static final int SIGNATURE_BYTES = 64;

  /**
   * @param bytes 32 bytes
   */
  public Ed25519PublicKey(byte[] bytes) {
    super(bytes, BYTES, "an Ed25519 public key");
  }

  public static Ed25519PublicKey fromBase64(String text) {
    try {
      return new Ed25519PublicKey(Base64.getDecoder().decode(text));
    } catch (IllegalArgumentException e) {
      throw ProtocolException.malformed("an Ed25519 public key is not base64");
    }
  }

  /**
   * Returns whether {@code signature} is this key's over {@code message}; false for a malformed
   * signature.
   */
  public boolean verify(byte[] message, byte[] signature) {
    if (signature.length != SIGNATURE_BYTES) {
      return false;
    }
    try {
      // false also when the key is not a point of the curve
      return Ed25519.verify(signature, 0, bytes, 0, message, 0, message.length);
    } catch (IllegalStateException e) {
      return false; // the verifier could not reduce its scalars
    }
  }

  public String base64() {
    return Base64.getEncoder().encodeToString(bytes);
  }

  @Override
  public String toString() {
    return "Ed25519PublicKey[" + base64() + "]";
  }
}
