package io.solidus.operator.sanctions.list;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a comma separated file. A row is always one line, so that an unclosed quote can spoil its
 * own row only. The file is read once, in constant memory. A row is decoded as UTF-8, or as
 * windows-1252 where it is not UTF-8.
 */
final class CsvRows {
  private static final int MAX_ROW_BYTES = 64 * 1024;
  private static final int MAX_FIELDS = 64;

  /** The publisher ends its files with the end-of-file mark of CP/M. */
  private static final String END_MARK = "\u001A";

  private static final String BYTE_ORDER_MARK = "\uFEFF";
  private static final Charset FALLBACK = Charset.forName("windows-1252");
  private static final CSVFormat FORMAT =
      CSVFormat.DEFAULT.builder().setIgnoreSurroundingSpaces(true).get();

  private final InputStream in;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream(4096);
  private int row;
  private boolean atEnd;
  private boolean endMarked;

  /**
   * Reads from a stream that the caller buffers and closes.
   *
   * @param in of a CSV file
   */
  CsvRows(InputStream in) {
    this.in = in;
  }

  /**
   * A row of the file.
   *
   * @param number from 1
   * @param fields without surrounding spaces; null when the row is malformed
   */
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
        endMarked = false;
        return new Row(row, null);
      }
      String text = decode(line.toByteArray());
      if (row == 1 && text.startsWith(BYTE_ORDER_MARK)) {
        text = text.substring(1);
      }
      if (text.isBlank()) {
        continue;
      }
      endMarked = text.equals(END_MARK);
      if (!endMarked) {
        return new Row(row, split(text));
      }
    }
  }

  /** Whether the last line that is not blank was the publisher's end mark. */
  boolean endMarked() {
    return endMarked;
  }

  /** Fills {@link #line}; false when the line is too long to keep. */
  private boolean readLine() throws IOException {
    line.reset();
    boolean fits = true;
    while (true) {
      int b = in.read();
      if (b < 0 || b == '\n') {
        atEnd = b < 0;
        return fits;
      }
      if (line.size() < MAX_ROW_BYTES) {
        line.write(b);
      } else {
        fits = false;
      }
    }
  }

  /** The text of a line. A carriage return would end a row, so it becomes a space. */
  private static String decode(byte[] bytes) {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      text = new String(bytes, FALLBACK);
    }
    return text.replace('\r', ' ').stripTrailing();
  }

  /** The fields of a row, or null when its quotes do not close or it has too many fields. */
  private static @Nullable List<String> split(String text) {
    try (CSVParser parser = CSVParser.parse(text, FORMAT)) {
      List<String> fields = parser.iterator().next().stream().map(String::strip).toList();
      return fields.size() > MAX_FIELDS ? null : fields;
    } catch (IOException | UncheckedIOException e) {
      return null;
    }
  }
}
