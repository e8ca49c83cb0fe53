package io.solidus.protocol;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Builds the exact bytes that are hashed or signed. Integers are big endian. */
@Spec("E-06")
final class Transcript {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream(1024);

  Transcript(String domain) {
    bytes(Bytes.utf8(domain));
  }

  Transcript bytes(byte[] value) {
    out.writeBytes(value);
    return this;
  }

  Transcript u8(int value) {
    if (value < 0 || value > 255) {
      throw new IllegalArgumentException("not a u8");
    }
    out.write(value);
    return this;
  }

  Transcript u32(int value) {
    return bytes(ByteBuffer.allocate(4).putInt(value).array());
  }

  Transcript u64(long value) {
    return bytes(ByteBuffer.allocate(8).putLong(value).array());
  }

  byte[] toBytes() {
    return out.toByteArray();
  }

  byte[] sha256() {
    return digest("SHA-256", toBytes());
  }

  byte[] sha512() {
    return digest("SHA-512", toBytes());
  }

  static byte[] digest(String algorithm, byte[]... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance(algorithm);
      for (byte[] part : parts) {
        digest.update(part);
      }
      return digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(
          algorithm + " is a required algorithm of every Java platform", e);
    }
  }
}
