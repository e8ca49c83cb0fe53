package io.solidus.wire.ohttp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads what {@link BinaryWriter} writes, and what others may: sections at the end may be missing
 * when they are empty, and numbers may be longer than they have to.
 */
final class BinaryReader {
  private static final int MAX_FIELDS = 64;
  private static final int FIRST_BYTE_BITS = 6;

  private final ByteBuffer in;

  BinaryReader(byte[] message) {
    this.in = ByteBuffer.wrap(message);
  }

  private BinaryReader(ByteBuffer in) {
    this.in = in;
  }

  void requireFraming(int framing) {
    if (number() != framing) {
      throw new BinaryHttpException("a binary message is of another kind");
    }
  }

  long number() {
    if (!in.hasRemaining()) {
      throw truncated();
    }
    int first = in.get() & 0xff;
    int more = (1 << (first >>> FIRST_BYTE_BITS)) - 1;
    if (in.remaining() < more) {
      throw truncated();
    }
    long value = first & ((1 << FIRST_BYTE_BITS) - 1);
    for (int i = 0; i < more; i++) {
      value = (value << 8) | (in.get() & 0xff);
    }
    return value;
  }

  String text() {
    return new String(exactly(number()), StandardCharsets.ISO_8859_1);
  }

  List<BinaryField> fields() {
    BinaryReader section = new BinaryReader(ByteBuffer.wrap(section()));
    List<BinaryField> fields = new ArrayList<>();
    while (section.in.hasRemaining()) {
      if (fields.size() == MAX_FIELDS) {
        throw new BinaryHttpException("a binary message has more than " + MAX_FIELDS + " headers");
      }
      fields.add(new BinaryField(section.text(), section.text()));
    }
    return fields;
  }

  /** The next section; empty where the message ends. */
  byte[] section() {
    return in.hasRemaining() ? exactly(number()) : new byte[0];
  }

  /** Requires that there are no trailers, and nothing but zeros. */
  void end() {
    while (in.hasRemaining()) {
      if (in.get() != 0) {
        throw new BinaryHttpException("a binary message has trailers, or padding that is not zero");
      }
    }
  }

  private byte[] exactly(long length) {
    if (length > in.remaining()) {
      throw truncated();
    }
    byte[] bytes = new byte[(int) length];
    in.get(bytes);
    return bytes;
  }

  private static BinaryHttpException truncated() {
    return new BinaryHttpException("a binary message is truncated");
  }
}
