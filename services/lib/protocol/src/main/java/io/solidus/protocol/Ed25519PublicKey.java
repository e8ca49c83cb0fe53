package io.solidus.protocol;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;

/**
 * An Ed25519 public key (RFC 8032).
 *
 * @param bytes 32 bytes
 */
public record Ed25519PublicKey(byte[] bytes) {
  public static final int BYTES = 32;
  public static final int SIGNATURE_BYTES = 64;

  /** What precedes the 32 bytes in a SubjectPublicKeyInfo (RFC 8410). */
  private static final byte[] SPKI_PREFIX = Bytes.fromHex("302a300506032b6570032100", "prefix");

  public Ed25519PublicKey {
    bytes = Bytes.fixed(bytes, BYTES, "an Ed25519 public key");
  }

  public static Ed25519PublicKey fromBase64(String text) {
    try {
      return new Ed25519PublicKey(Base64.getDecoder().decode(text));
    } catch (IllegalArgumentException e) {
      throw ProtocolException.malformed("an Ed25519 public key is not base64");
    }
  }

  /** Whether {@code signature} is this key's over {@code message}; false for anything malformed. */
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
      return false; // also when the key is no point of the curve
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
  public byte[] bytes() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Ed25519PublicKey that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "Ed25519PublicKey[" + base64() + "]";
  }
}
