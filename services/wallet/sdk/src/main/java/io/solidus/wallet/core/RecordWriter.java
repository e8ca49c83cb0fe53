package io.solidus.wallet.core;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;

/** Writes records (W-31). It overwrites its buffer, which may hold words. */
final class RecordWriter {
  private byte[] buffer = new byte[256];
  private int length;

  RecordWriter u8(int value) {
    return raw(new byte[] {(byte) value});
  }

  RecordWriter u16(int value) {
    return raw(ByteBuffer.allocate(Short.BYTES).putShort((short) value).array());
  }

  RecordWriter u32(int value) {
    return raw(ByteBuffer.allocate(Integer.BYTES).putInt(value).array());
  }

  RecordWriter u64(long value) {
    return raw(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
  }

  /** Bytes of a known number. */
  RecordWriter raw(byte[] value) {
    if (buffer.length - length < value.length) {
      byte[] larger =
          Arrays.copyOf(buffer, Math.max(2 * buffer.length, Math.addExact(length, value.length)));
      Arrays.fill(buffer, (byte) 0);
      buffer = larger;
    }
    System.arraycopy(value, 0, buffer, length, value.length);
    length += value.length;
    return this;
  }

  RecordWriter sized(byte[] value) {
    return u32(value.length).raw(value);
  }

  RecordWriter text(String value) {
    return sized(value.getBytes(StandardCharsets.UTF_8));
  }

  <T> RecordWriter list(List<T> values, BiConsumer<RecordWriter, T> write) {
    u32(values.size());
    values.forEach(value -> write.accept(this, value));
    return this;
  }

  /** What was written; the writer is empty again. */
  byte[] take() {
    byte[] taken = Arrays.copyOf(buffer, length);
    Arrays.fill(buffer, (byte) 0);
    length = 0;
    return taken;
  }
}
