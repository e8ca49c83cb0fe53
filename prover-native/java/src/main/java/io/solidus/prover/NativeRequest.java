package io.solidus.prover;

import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Committee;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.G2Point;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.Signature;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request to the library: fields in the order that the operation defines, integers big endian.
 * Its bytes are cleared once taken.
 */
final class Call {
  private final @Nullable Operation operation;
  private byte[] buffer = new byte[1024];
  private int length;

  private Call(@Nullable Operation operation) {
    this.operation = operation;
  }

  /** Fields that are not sent but stored or handed to somebody else, by {@link #take}. */
  static Call detached() {
    return new Call(null);
  }

  static Call of(Operation operation) {
    return new Call(operation);
  }

  static Call of(Operation operation, NetworkId network) {
    return new Call(operation).text(network.value());
  }

  Call bytes(byte[] value) {
    int at = reserve(value.length); // before the buffer is looked at: it may be replaced
    System.arraycopy(value, 0, buffer, at, value.length);
    return this;
  }

  /** For a copy of a secret that nobody else holds. */
  private Call secret(byte[] value) {
    bytes(value);
    Arrays.fill(value, (byte) 0);
    return this;
  }

  Call u8(int value) {
    int at = reserve(1);
    buffer[at] = (byte) value;
    return this;
  }

  Call flag(boolean value) {
    return u8(value ? 1 : 0);
  }

  Call u32(int value) {
    int at = reserve(Integer.BYTES);
    ByteBuffer.wrap(buffer).putInt(at, value);
    return this;
  }

  Call u64(long value) {
    int at = reserve(Long.BYTES);
    ByteBuffer.wrap(buffer).putLong(at, value);
    return this;
  }

  /** A byte string with its length. */
  Call sized(byte[] value) {
    return u32(value.length).bytes(value);
  }

  Call text(String value) {
    return sized(value.getBytes(StandardCharsets.UTF_8));
  }

  Call field(FieldElement value) {
    return bytes(value.bytes());
  }

  Call scalar(Scalar value) {
    return secret(value.bytes());
  }

  Call point(G1Point value) {
    return bytes(value.bytes());
  }

  Call point(G2Point value) {
    return bytes(value.bytes());
  }

  Call coin(BlindedCoin value) {
    return field(value.cm()).point(value.k());
  }

  Call signature(Signature value) {
    return point(value.s1()).point(value.s2());
  }

  Call shown(ShownSignature value) {
    return point(value.h()).point(value.m()).point(value.s());
  }

  Call member(CommitteeMember value) {
    return u32(value.index())
        .point(value.x())
        .point(value.y())
        .point(value.gamma())
        .bytes(value.noteKey());
  }

  Call committee(Committee value) {
    u32(value.epoch())
        .u32(value.f())
        .point(value.x())
        .point(value.y())
        .point(value.y1())
        .u32(value.n());
    value.members().forEach(this::member);
    return this;
  }

  /**
   * @throws NativeException when the library refuses
   */
  Reply send() {
    Operation target = Objects.requireNonNull(operation, "a detached call is not sent");
    byte[] request = take();
    try {
      return Reply.of(NativeLibrary.call(target.number(), request));
    } finally {
      Arrays.fill(request, (byte) 0);
    }
  }

  /** The fields written so far. */
  byte[] take() {
    byte[] taken = Arrays.copyOf(buffer, length);
    Arrays.fill(buffer, (byte) 0);
    length = 0;
    return taken;
  }

  private int reserve(int count) {
    if (buffer.length - length < count) {
      byte[] larger =
          Arrays.copyOf(buffer, Math.max(2 * buffer.length, Math.addExact(length, count)));
      Arrays.fill(buffer, (byte) 0);
      buffer = larger;
    }
    int at = length;
    length += count;
    return at;
  }
}
