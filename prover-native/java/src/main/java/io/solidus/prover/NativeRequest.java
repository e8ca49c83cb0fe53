package io.solidus.prover;

import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Committee;
import io.solidus.protocol.CommitteeMember;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.G2Point;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.Signature;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request to the library: fields in the order that the operation defines, integers big endian.
 * The bytes are overwritten when they are taken.
 */
final class NativeRequest {
  private final @Nullable Operation operation;
  private byte[] buffer = new byte[1024];
  private int length;

  private NativeRequest(@Nullable Operation operation) {
    this.operation = operation;
  }

  /** A request that {@link #take} encodes but {@link #send} cannot send. */
  static NativeRequest detached() {
    return new NativeRequest(null);
  }

  static NativeRequest of(Operation operation) {
    return new NativeRequest(operation);
  }

  static NativeRequest of(Operation operation, NetworkId network) {
    return new NativeRequest(operation).text(network.value());
  }

  NativeRequest bytes(byte[] value) {
    int at = reserve(value.length); // first, because it may replace the buffer
    System.arraycopy(value, 0, buffer, at, value.length);
    return this;
  }

  /** Appends a copy of a secret and overwrites it. */
  private NativeRequest secret(byte[] value) {
    bytes(value);
    Arrays.fill(value, (byte) 0);
    return this;
  }

  NativeRequest u8(int value) {
    int at = reserve(1);
    buffer[at] = (byte) value;
    return this;
  }

  NativeRequest flag(boolean value) {
    return u8(value ? 1 : 0);
  }

  NativeRequest u32(int value) {
    int at = reserve(Integer.BYTES);
    ByteBuffer.wrap(buffer).putInt(at, value);
    return this;
  }

  NativeRequest u64(long value) {
    int at = reserve(Long.BYTES);
    ByteBuffer.wrap(buffer).putLong(at, value);
    return this;
  }

  /** Appends a byte string after its length. */
  NativeRequest sized(byte[] value) {
    return u32(value.length).bytes(value);
  }

  NativeRequest text(String value) {
    return sized(value.getBytes(StandardCharsets.UTF_8));
  }

  NativeRequest field(FieldElement value) {
    return bytes(value.bytes());
  }

  NativeRequest scalar(Scalar value) {
    return secret(value.bytes());
  }

  NativeRequest keyScalar(KeyScalar value) {
    return secret(value.bytes());
  }

  NativeRequest keyPoint(KeyPoint value) {
    return bytes(value.bytes());
  }

  NativeRequest point(G1Point value) {
    return bytes(value.bytes());
  }

  NativeRequest point(G2Point value) {
    return bytes(value.bytes());
  }

  NativeRequest coin(BlindedCoin value) {
    return field(value.cm()).point(value.k());
  }

  /** Appends one output of a statement: all that its base depends on, then its place. */
  NativeRequest output(Outputs outputs, int index) {
    Objects.checkIndex(index, outputs.coins().size());
    field(outputs.d().value()).u32(outputs.period().yyyymm()).u8(outputs.coins().size());
    outputs.coins().forEach(coin -> field(coin.cm()));
    return u8(index);
  }

  NativeRequest signature(Signature value) {
    return point(value.s1()).point(value.s2());
  }

  NativeRequest shown(ShownSignature value) {
    return point(value.h()).point(value.m()).point(value.s());
  }

  NativeRequest kind(NetworkKind value) {
    return u8(
        switch (value) {
          case REGULATED -> 1;
          case UNREGULATED -> 2;
        });
  }

  NativeRequest origin(Origin value) {
    return u8(value.code());
  }

  /** Appends every field of a compliance coin but its owner. */
  NativeRequest complianceState(ComplianceCoin value) {
    return field(value.rho())
        .u32(value.period().yyyymm())
        .u64(value.sent().minor())
        .u32(value.count())
        .u64(value.held().minor())
        .field(value.com());
  }

  NativeRequest inputs(List<PlanInput> values) {
    values.forEach(input ->
        u64(input.value().minor()).origin(input.origin()).field(input.rho()).flag(input.dummy()));
    return this;
  }

  /** Appends the commitment randomness and the blinding exponent of an output. */
  NativeRequest blinding(FieldElement s, Scalar b) {
    return field(s).scalar(b);
  }

  NativeRequest member(CommitteeMember value) {
    return u32(value.index())
        .point(value.x())
        .point(value.y())
        .point(value.gamma())
        .bytes(value.noteKey().bytes());
  }

  NativeRequest committee(Committee value) {
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
   * Sends the request and returns the reply.
   *
   * @throws NativeException when the library refuses
   */
  NativeReply send() {
    Operation target = Objects.requireNonNull(operation, "a detached request is not sent");
    byte[] request = take();
    try {
      return NativeReply.of(NativeLibrary.call(target.number(), request));
    } finally {
      Arrays.fill(request, (byte) 0);
    }
  }

  /** Returns the fields written so far and overwrites the buffer. */
  byte[] take() {
    byte[] taken = Arrays.copyOf(buffer, length);
    Arrays.fill(buffer, (byte) 0);
    length = 0;
    return taken;
  }

  /** Requires a list of one length, as every layout has it. */
  static <T> List<T> exactly(int count, List<T> values, String name) {
    if (values.size() != count) {
      throw new IllegalArgumentException(name + ": " + count + " needed, not " + values.size());
    }
    return List.copyOf(values);
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
