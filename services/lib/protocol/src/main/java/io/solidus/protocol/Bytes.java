package io.solidus.protocol;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Byte strings of a fixed length and their encodings. */
final class Bytes {
  private Bytes() {}

  /** Returns a copy of {@code value}, which must have exactly {@code length} bytes. */
  static byte[] fixed(byte[] value, int length, String name) {
    if (value == null || value.length != length) {
      throw ProtocolException.malformed(name + " must have " + length + " bytes");
    }
    return value.clone();
  }

  static byte[] fromHex(String hex, String name) {
    try {
      return HexFormat.of().parseHex(hex);
    } catch (IllegalArgumentException e) {
      throw ProtocolException.malformed(name + " is not hexadecimal");
    }
  }

  static String hex(byte[] value) {
    return HexFormat.of().formatHex(value);
  }

  /** The big endian bytes of a number that is not negative and fits {@code length} bytes. */
  static byte[] leftPadded(BigInteger value, int length) {
    byte[] raw = value.toByteArray();
    byte[] padded = new byte[length];
    int significant = Math.min(raw.length, length);
    System.arraycopy(raw, raw.length - significant, padded, length - significant, significant);
    return padded;
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static boolean allZero(byte[] value) {
    int any = 0;
    for (byte b : value) {
      any |= b;
    }
    return any == 0;
  }
}
