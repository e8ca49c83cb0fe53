package io.solidus.wallet.store;

import io.solidus.protocol.Amount;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Signature;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the content of the wallet's file, big endian. Buffers are overwritten with zeros when they
 * grow and when the writer is closed.
 */
final class StateWriter implements AutoCloseable {
  private byte[] buffer = new byte[4096];
  private int size;

  StateWriter u8(int value) {
    ensure(1);
    buffer[size++] = (byte) value;
    return this;
  }

  StateWriter u32(int value) {
    return u8(value >>> 24).u8(value >>> 16).u8(value >>> 8).u8(value);
  }

  StateWriter u64(long value) {
    return u32((int) (value >>> 32)).u32((int) value);
  }

  StateWriter fixed(byte[] value) {
    ensure(value.length);
    System.arraycopy(value, 0, buffer, size, value.length);
    size += value.length;
    return this;
  }

  /** The length as u32, then the bytes. */
  StateWriter bytes(byte[] value) {
    return u32(value.length).fixed(value);
  }

  StateWriter text(String value) {
    return bytes(value.getBytes(StandardCharsets.UTF_8));
  }

  StateWriter field(FieldElement value) {
    return fixed(value.bytes());
  }

  StateWriter origin(Origin value) {
    return u8(value.code());
  }

  StateWriter amount(Amount value) {
    return u64(value.minor());
  }

  StateWriter signature(Signature value) {
    return fixed(value.s1().bytes()).fixed(value.s2().bytes());
  }

  <T> StateWriter optional(@Nullable T value, BiConsumer<StateWriter, T> write) {
    u8(value == null ? 0 : 1);
    if (value != null) {
      write.accept(this, value);
    }
    return this;
  }

  <T> StateWriter each(Collection<T> values, BiConsumer<StateWriter, T> write) {
    u32(values.size());
    values.forEach(value -> write.accept(this, value));
    return this;
  }

  byte[] toBytes() {
    return Arrays.copyOf(buffer, size);
  }

  @Override
  public void close() {
    Arrays.fill(buffer, (byte) 0);
  }

  private void ensure(int more) {
    if (buffer.length - size >= more) {
      return;
    }
    byte[] larger = Arrays.copyOf(buffer, Math.max(buffer.length * 2, Math.addExact(size, more)));
    Arrays.fill(buffer, (byte) 0);
    buffer = larger;
  }
}
