package io.solidus.protocol;

/** An X25519 public key (RFC 7748) that coins for its owner are sealed to. */
public final class EncryptionKey extends FixedBytes {
  public static final int BYTES = 32;

  /**
   * @param bytes 32 bytes
   */
  public EncryptionKey(byte[] bytes) {
    super(bytes, BYTES, "an encryption key");
  }

  public static EncryptionKey of(byte[] bytes) {
    return new EncryptionKey(bytes);
  }

  public static EncryptionKey fromHex(String hex) {
    return new EncryptionKey(Bytes.fromHex(hex, "an encryption key"));
  }
}
