package io.solidus.prover;

import io.solidus.protocol.Family;
import io.solidus.protocol.ProtocolException;
import java.util.function.Function;

/** The encoding of a witness: a version, the statement family's code, the fields. */
final class WitnessFormat {
  private static final int VERSION = 1;

  private WitnessFormat() {}

  static NativeRequest start(Family family) {
    return NativeRequest.detached().u8(VERSION).u8(family.code());
  }

  /**
   * Reads a witness of one family.
   *
   * @throws NativeException MALFORMED_REQUEST for any fault of the bytes
   */
  static <T> T read(byte[] bytes, Family family, Function<NativeReply, T> fields) {
    NativeReply in = NativeReply.untrusted(bytes);
    if (in.u8() != VERSION || in.u8() != family.code()) {
      throw new NativeException(
          NativeErrorCode.MALFORMED_REQUEST, "not a witness of this family and version");
    }
    try {
      T value = fields.apply(in);
      in.requireEnd();
      return value;
    } catch (ProtocolException | IllegalArgumentException e) {
      throw new NativeException(
          NativeErrorCode.MALFORMED_REQUEST, String.valueOf(e.getMessage()), e);
    }
  }
}
