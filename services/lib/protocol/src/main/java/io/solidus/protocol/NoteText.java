package io.solidus.protocol;

import java.util.List;

/**
 * Writes and reads the text of a note: "solidus/KIND/v1", the network id, then "key: value" lines
 * in a fixed order. Reading is strict, so that one value has one text.
 */
@Spec("F-26")
final class NoteText {
  private static final String SEPARATOR = ": ";

  private NoteText() {}

  static Writer write(String kind, NetworkId network) {
    return new Writer(kind, network);
  }

  /**
   * Starts reading a note.
   *
   * @throws ProtocolException malformed-request, unknown-version for another kind or version,
   *     wrong-network
   */
  static Reader read(String kind, NetworkId network, String text) {
    String[] lines = text.split("\n", -1);
    if (lines.length < 3 || !lines[lines.length - 1].isEmpty()) {
      throw ProtocolException.malformed("a note's text is incomplete");
    }
    if (!lines[0].equals(header(kind))) {
      throw new ProtocolException(
          RejectionCode.UNKNOWN_VERSION, "a note is of another kind or version");
    }
    if (!lines[1].equals(network.value())) {
      throw new ProtocolException(RejectionCode.WRONG_NETWORK, "a note belongs to another network");
    }
    return new Reader(List.of(lines).subList(2, lines.length - 1));
  }

  /** The first line of a text of this kind. */
  static String header(String kind) {
    return "solidus/" + kind + "/v1";
  }

  static final class Writer {
    private final StringBuilder out = new StringBuilder();

    private Writer(String kind, NetworkId network) {
      out.append(header(kind)).append('\n').append(network.value()).append('\n');
    }

    Writer line(String key, String value) {
      out.append(key).append(SEPARATOR).append(value).append('\n');
      return this;
    }

    Writer line(String key, long value) {
      return line(key, Long.toString(value));
    }

    String text() {
      return out.toString();
    }
  }

  /** Reads the lines in order. Each must have the expected key. */
  static final class Reader {
    private final List<String> lines;
    private int next;

    private Reader(List<String> lines) {
      this.lines = lines;
    }

    String string(String key) {
      String start = key + SEPARATOR;
      if (next >= lines.size() || !lines.get(next).startsWith(start)) {
        throw ProtocolException.malformed("a note lacks the line '" + key + "'");
      }
      return lines.get(next++).substring(start.length());
    }

    /** Reads a canonical decimal number that is not negative. */
    long number(String key) {
      String value = string(key);
      try {
        long number = Long.parseLong(value);
        if (number >= 0 && Long.toString(number).equals(value)) {
          return number;
        }
      } catch (NumberFormatException e) {
        // refused below
      }
      throw ProtocolException.malformed("a note's line '" + key + "' is not a number");
    }

    int smallNumber(String key) {
      long number = number(key);
      if (number > Integer.MAX_VALUE) {
        throw ProtocolException.malformed("a note's line '" + key + "' is too large");
      }
      return (int) number;
    }

    byte[] hex(String key) {
      String value = string(key);
      byte[] bytes = Bytes.fromHex(value, "a note's line");
      if (!Bytes.hex(bytes).equals(value)) {
        throw ProtocolException.malformed(
            "a note's line '" + key + "' is not lower-case hexadecimal");
      }
      return bytes;
    }

    /** Whether the next line has this key. */
    boolean has(String key) {
      return next < lines.size() && lines.get(next).startsWith(key + SEPARATOR);
    }

    void end() {
      if (next != lines.size()) {
        throw ProtocolException.malformed("a note has too many lines");
      }
    }
  }
}
