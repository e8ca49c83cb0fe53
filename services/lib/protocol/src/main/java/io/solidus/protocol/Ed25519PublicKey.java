package io.solidus.protocol;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;

/** An Ed25519 public key (RFC 8032). */
public final class Ed25519PublicKey extends FixedBytes {
  public static final int BYTES = 32;
  public static final int SIGNATURE_BYTES = 64;

  /** The bytes before the 32 bytes of the key in a SubjectPublicKeyInfo (RFC 8410). */
  private static final byte[] SPKI_PREFIX = Bytes.fromHex("302a300506032b6570032100", "prefix");

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
      java.security.Signature verifier = java.security.Signature.getInstance("Ed25519");
      verifier.initVerify(toPublicKey());
      verifier.update(message);
      return verifier.verify(signature);
    } catch (GeneralSecurityException e) {
      return false; // also when the key is not a point of the curve
    }
  }

  public String base64() {
    return Base64.getEncoder().encodeToString(bytes);
  }

  private PublicKey toPublicKey() throws GeneralSecurityException {
    byte[] encoded = Arrays.copyOf(SPKI_PREFIX, SPKI_PREFIX.length + BYTES);
    System.arraycopy(bytes, 0, encoded, SPKI_PREFIX.length, BYTES);
    return KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
  }

  @Override
  public String toString() {
    return "Ed25519PublicKey[" + base64() + "]";
  }
}
