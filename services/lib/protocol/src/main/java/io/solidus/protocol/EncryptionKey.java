package io.solidus.protocol;

import java.util.Arrays;

/**
 * An X25519 public key (RFC 7748): where coins for its owner are sealed to.
 *
 * @param bytes 32 bytes
 */
public record EncryptionKey(byte[] bytes) {
  public static final int BYTES = 32;

  public EncryptionKey {
    bytes = Bytes.fixed(bytes, BYTES, "an encryption key");
  }

  public static EncryptionKey of(byte[] bytes) {
    return new EncryptionKey(bytes);
  }

  public static EncryptionKey fromHex(String hex) {
    return new EncryptionKey(Bytes.fromHex(hex, "an encryption key"));
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
    return other instanceof EncryptionKey that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "EncryptionKey[" + hex().substring(0, 12) + "...]";
  }
}
