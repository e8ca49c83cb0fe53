package io.solidus.wallet.store;

import io.solidus.protocol.Amount;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Signature;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the output of {@link StateWriter}. Other input throws an {@link IllegalArgumentException}
 * or a {@link BufferUnderflowException}.
 */
final class StateReader {
  private final ByteBuffer in;

  StateReader(byte[] content) {
    this.in = ByteBuffer.wrap(content);
  }

  int u8() {
    return Byte.toUnsignedInt(in.get());
  }

  int u32() {
    return in.getInt();
  }

  long u64() {
    return in.getLong();
  }

  byte[] fixed(int length) {
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] out = new byte[length];
    in.get(out);
    return out;
  }

  byte[] bytes() {
    return fixed(u32());
  }

  /** Rejects invalid UTF-8, which the default decoder would silently replace. */
  String text() {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes())).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("a text is not UTF-8", e);
    }
  }

  FieldElement field() {
    return FieldElement.of(fixed(FieldElement.BYTES));
  }

  Origin origin() {
    return Origin.of(u8());
  }

  Amount amount() {
    return new Amount(u64());
  }

  Signature signature() {
    return new Signature(G1Point.of(fixed(G1Point.BYTES)), G1Point.of(fixed(G1Point.BYTES)));
  }

  boolean flag() {
    return switch (u8()) {
      case 0 -> false;
      case 1 -> true;
      default -> throw new IllegalArgumentException("a mark is neither 0 nor 1");
    };
  }

  /** A number from 0 to this one. */
  int upTo(int most) {
    int value = u32();
    if (value < 0 || value > most) {
      throw new IllegalArgumentException("a number is out of bounds");
    }
    return value;
  }

  <T> @Nullable T optional(Function<StateReader, T> read) {
    return flag() ? read.apply(this) : null;
  }

  <T> List<T> each(Function<StateReader, T> read) {
    int count = u32();
    if (count < 0 || count > in.remaining()) {
      throw new BufferUnderflowException();
    }
    List<T> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add(read.apply(this));
    }
    return values;
  }

  boolean isEnd() {
    return !in.hasRemaining();
  }

  void requireEnd() {
    if (!isEnd()) {
      throw new IllegalArgumentException("bytes are left over");
    }
  }
}
