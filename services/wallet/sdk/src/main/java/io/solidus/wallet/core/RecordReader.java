package io.solidus.wallet.core;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Reads records (W-31). Bytes that are no record are a defect, because the core is a part of this
 * program.
 */
final class RecordReader {
  private final ByteBuffer in;

  RecordReader(byte[] bytes) {
    this.in = ByteBuffer.wrap(bytes);
  }

  /** Reads a whole record. */
  static <T> T whole(byte[] bytes, Function<RecordReader, T> read) {
    RecordReader reader = new RecordReader(bytes);
    T value = read.apply(reader);
    if (reader.in.hasRemaining()) {
      throw defect("is too long");
    }
    return value;
  }

  byte[] raw(int count) {
    if (count < 0 || count > in.remaining()) {
      throw defect("is too short");
    }
    byte[] bytes = new byte[count];
    in.get(bytes);
    return bytes;
  }

  int u8() {
    return Byte.toUnsignedInt(raw(1)[0]);
  }

  boolean flag() {
    int value = u8();
    if (value > 1) {
      throw defect("has a flag that is neither 0 nor 1");
    }
    return value == 1;
  }

  int u32() {
    return ByteBuffer.wrap(raw(Integer.BYTES)).getInt();
  }

  /** An amount, a time or a number: below 2^63. */
  long u64() {
    long value = ByteBuffer.wrap(raw(Long.BYTES)).getLong();
    if (value < 0) {
      throw defect("has a number above 2^63");
    }
    return value;
  }

  byte[] sized() {
    return raw(u32());
  }

  String text() {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(sized())).toString();
    } catch (CharacterCodingException e) {
      throw defect("has a text that is not UTF-8");
    }
  }

  <T> List<T> list(Function<RecordReader, T> read) {
    int count = u32();
    if (count < 0 || count > in.remaining()) {
      throw defect("is shorter than its list");
    }
    List<T> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(read.apply(this));
    }
    return List.copyOf(all);
  }

  private static IllegalStateException defect(String what) {
    return new IllegalStateException("a record of the core " + what);
  }
}
