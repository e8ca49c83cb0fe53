package io.solidus.authority.custody;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A token's PIN, read from a file and cleared on close. It is never an argument or an environment
 * variable.
 */
final class Pin implements AutoCloseable {
  private static final int MAX_BYTES = 256;

  private final char[] chars;

  private Pin(char[] chars) {
    this.chars = chars;
  }

  /**
   * Reads the PIN file.
   *
   * @throws CustodyException PIN_FILE
   */
  static Pin read(Path file) {
    byte[] raw;
    try {
      raw = PrivateFiles.read(file, MAX_BYTES);
    } catch (IOException e) {
      throw new CustodyException(
          CustodyCode.PIN_FILE, "the PIN file cannot be read: " + e.getMessage(), e);
    }
    try {
      int end = raw.length;
      while (end > 0 && (raw[end - 1] == '\n' || raw[end - 1] == '\r')) {
        end--;
      }
      if (end == 0) {
        throw new CustodyException(CustodyCode.PIN_FILE, "the PIN file is empty");
      }
      CharBuffer decoded = StandardCharsets.UTF_8.decode(ByteBuffer.wrap(raw, 0, end));
      char[] chars = new char[decoded.remaining()];
      decoded.get(chars);
      Arrays.fill(decoded.array(), '\0');
      return new Pin(chars);
    } finally {
      Arrays.fill(raw, (byte) 0);
    }
  }

  /** The characters themselves, not a copy; they are cleared on close. */
  char[] chars() {
    return chars;
  }

  @Override
  public void close() {
    Arrays.fill(chars, '\0');
  }
}
