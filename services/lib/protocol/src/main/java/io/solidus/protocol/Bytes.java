package io.solidus.protocol;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Fixed-length byte strings. */
final class Bytes {
  private Bytes() {}

  /** A copy of {@code value}, which must have exactly {@code length} bytes. */
  static byte[] fixed(byte[] value, int length, String what) {
    if (value == null || value.length != length) {
      throw ProtocolException.malformed(what + " must have " + length + " bytes");
    }
    return value.clone();
  }

  static byte[] fromHex(String hex, String what) {
    try {
      return HexFormat.of().parseHex(hex);
    } catch (IllegalArgumentException e) {
      throw ProtocolException.malformed(what + " is not hexadecimal");
    }
  }

  static String hex(byte[] value) {
    return HexFormat.of().formatHex(value);
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
