package io.solidus.prover;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Coin;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.G2Point;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.Origin;
import io.solidus.protocol.Period;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.Signature;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A successful reply, or other bytes of the same form, that is read field by field. */
final class NativeReply {
  private final ByteBuffer in;
  private final NativeErrorCode onShortage;

  private NativeReply(ByteBuffer in, NativeErrorCode onShortage) {
    this.in = in;
    this.onShortage = onShortage;
  }

  /** Reads bytes of any origin; malformed ones are refused with MALFORMED_REQUEST. */
  static NativeReply untrusted(byte[] bytes) {
    return new NativeReply(ByteBuffer.wrap(bytes), NativeErrorCode.MALFORMED_REQUEST);
  }

  /**
   * Reads a reply of the library.
   *
   * @throws NativeException when the reply is a refusal
   */
  static NativeReply of(byte[] reply) {
    ByteBuffer in = ByteBuffer.wrap(reply);
    NativeErrorCode code = NativeErrorCode.of(Short.toUnsignedInt(in.getShort()));
    if (code != NativeErrorCode.OK) {
      throw new NativeException(code, StandardCharsets.UTF_8.decode(in).toString());
    }
    return new NativeReply(in, NativeErrorCode.INTERNAL);
  }

  NativeReply skip(int count) {
    bytes(count);
    return this;
  }

  byte[] bytes(int count) {
    if (count < 0 || count > in.remaining()) {
      throw new NativeException(onShortage, "there are too few bytes");
    }
    byte[] value = new byte[count];
    in.get(value);
    return value;
  }

  /** Refuses trailing bytes. */
  void requireEnd() {
    if (in.hasRemaining()) {
      throw new NativeException(onShortage, "there are too many bytes");
    }
  }

  byte[] rest() {
    return bytes(in.remaining());
  }

  int u8() {
    return Byte.toUnsignedInt(bytes(1)[0]);
  }

  boolean flag() {
    int value = u8();
    if (value > 1) {
      throw new NativeException(onShortage, "a flag is 0 or 1");
    }
    return value == 1;
  }

  int u32() {
    return ByteBuffer.wrap(bytes(Integer.BYTES)).getInt();
  }

  long u64() {
    return ByteBuffer.wrap(bytes(Long.BYTES)).getLong();
  }

  String text() {
    return new String(bytes(u32()), StandardCharsets.UTF_8);
  }

  FieldElement field() {
    return FieldElement.of(bytes(FieldElement.BYTES));
  }

  KeyPoint keyPoint() {
    return KeyPoint.of(bytes(KeyPoint.BYTES));
  }

  G1Point g1() {
    return G1Point.of(bytes(G1Point.BYTES));
  }

  G2Point g2() {
    return G2Point.of(bytes(G2Point.BYTES));
  }

  BlindedCoin blindedCoin() {
    return new BlindedCoin(field(), g1());
  }

  Signature signature() {
    return new Signature(g1(), g1());
  }

  ShownSignature shown() {
    return new ShownSignature(g1(), g1(), g1());
  }

  Coin coin() {
    return new Coin(origin(), amount(), apk(), field());
  }

  Origin origin() {
    return Origin.of(u8());
  }

  Scalar scalar() {
    return secret(Scalar.BYTES, Scalar::new);
  }

  KeyScalar keyScalar() {
    return secret(KeyScalar.BYTES, KeyScalar::new);
  }

  private <T> T secret(int length, Function<byte[], T> read) {
    byte[] value = bytes(length);
    try {
      return read.apply(value);
    } finally {
      Arrays.fill(value, (byte) 0);
    }
  }

  Amount amount() {
    return new Amount(u64());
  }

  Period period() {
    return new Period(u32());
  }

  Apk apk() {
    return new Apk(field());
  }

  List<PlanInput> inputs(int count) {
    return repeat(count, () -> new PlanInput(amount(), origin(), field(), flag()));
  }

  /** Reads {@code count} values in order. */
  static <T> List<T> repeat(int count, Supplier<T> read) {
    return Stream.generate(read).limit(count).toList();
  }

  ComplianceCoin complianceCoin() {
    return new ComplianceCoin(apk(), field(), period(), amount(), u32(), amount(), field());
  }
}
