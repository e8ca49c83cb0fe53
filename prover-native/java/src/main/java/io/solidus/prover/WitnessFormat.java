package io.solidus.prover;

import io.solidus.protocol.ProtocolException;
import java.util.function.Function;

/** The bytes of a witness: a version, the family's code, the fields. */
final class Witness {
  private static final int VERSION = 1;

  private Witness() {}

  static Call start(int family) {
    return Call.detached().u8(VERSION).u8(family);
  }

  /**
   * @throws NativeException MALFORMED_REQUEST whatever is wrong with the bytes
   */
  static <T> T read(byte[] bytes, int family, Function<Reply, T> fields) {
    Reply in = Reply.untrusted(bytes);
    if (in.u8() != VERSION || in.u8() != family) {
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
