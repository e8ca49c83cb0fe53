package io.solidus.operator.sanctions.list;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a comma separated file in which a row is always one line, so that an unclosed quote can
 * spoil its own row only. The file is read once, in constant memory. Text is UTF-8, or windows-1252
 * for a row that is not.
 */
final class CsvRows {
  private static final int MAX_ROW_BYTES = 64 * 1024;
  private static final int MAX_FIELDS = 64;
  private static final int CTRL_Z = 0x1A;
  private static final String BYTE_ORDER_MARK = "\uFEFF";
  private static final Charset FALLBACK = Charset.forName("windows-1252");

  private final InputStream in;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream(4096);
  private int row;
  private boolean atEnd;

  /**
   * @param in buffered by the caller
   */
  CsvRows(InputStream in) {
    this.in = in;
  }

  /** A row; without fields when it is malformed. */
  record Row(int number, @Nullable List<String> fields) {}

  /** The next row that is not blank, or null at the end. */
  @Nullable Row next() throws IOException {
    while (true) {
      boolean fits = readLine();
      if (fits && line.size() == 0 && atEnd) {
        return null;
      }
      row++;
      if (!fits) {
        return new Row(row, null);
      }
      String text = decode(line.toByteArray());
      if (row == 1 && text.startsWith(BYTE_ORDER_MARK)) {
        text = text.substring(1);
      }
      if (!text.isBlank() && !isEndMark(text)) {
        return new Row(row, split(text));
      }
    }
  }

  /** Fills {@link #line}; false when the line was too long to keep. */
  private boolean readLine() throws IOException {
    line.reset();
    boolean fits = true;
    while (true) {
      int b = in.read();
      if (b < 0) {
        atEnd = true;
        return fits;
      }
      if (b == '\n') {
        return fits;
      }
      if (line.size() < MAX_ROW_BYTES) {
        line.write(b);
      } else {
        fits = false;
      }
    }
  }

  /** The publisher ends its files with the end mark of CP/M. */
  private static boolean isEndMark(String text) {
    return text.length() == 1 && text.charAt(0) == CTRL_Z;
  }

  private static String decode(byte[] bytes) {
    int length =
        bytes.length > 0 && bytes[bytes.length - 1] == '\r' ? bytes.length - 1 : bytes.length;
    ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, length);
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT)
          .decode(buffer.duplicate())
          .toString();
    } catch (CharacterCodingException notUtf8) {
      return FALLBACK.decode(buffer).toString();
    }
  }

  /** The fields of a row, or null when its quotes do not close or it has too many. */
  static @Nullable List<String> split(String text) {
    List<String> fields = new ArrayList<>(12);
    int at = 0;
    while (true) {
      StringBuilder field = new StringBuilder();
      at = skipSpaces(text, at);
      if (at < text.length() && text.charAt(at) == '"') {
        at = quoted(text, at + 1, field);
        if (at < 0) {
          return null;
        }
        at = skipSpaces(text, at);
        if (at < text.length() && text.charAt(at) != ',') {
          return null;
        }
      } else {
        int comma = text.indexOf(',', at);
        int end = comma < 0 ? text.length() : comma;
        field.append(text, at, end);
        at = end;
      }
      fields.add(field.toString().strip());
      if (fields.size() > MAX_FIELDS) {
        return null;
      }
      if (at >= text.length()) {
        return fields;
      }
      at++;
    }
  }

  /** Copies up to the closing quote; the position after it, or -1 when there is none. */
  private static int quoted(String text, int from, StringBuilder field) {
    int at = from;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c != '"') {
        field.append(c);
      } else if (at < text.length() && text.charAt(at) == '"') {
        field.append('"');
        at++;
      } else {
        return at;
      }
    }
    return -1;
  }

  private static int skipSpaces(String text, int from) {
    int at = from;
    while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
      at++;
    }
    return at;
  }
}
