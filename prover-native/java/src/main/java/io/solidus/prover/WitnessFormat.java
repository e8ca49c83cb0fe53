package io.solidus.prover;

import io.solidus.protocol.Digest32;
import io.solidus.protocol.Family;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.TxCore;
import java.util.function.BiFunction;

/**
 * The encoding of a witness: a version, the statement family's code, the statement's core, the
 * fields. The core is hashed into the challenge of the proof's link, so a proof fits no other core.
 */
final class WitnessFormat {
  private static final int VERSION = 2;

  private WitnessFormat() {}

  static NativeRequest start(Family family, TxCore core) {
    return NativeRequest.detached().u8(VERSION).u8(family.code()).bytes(core.bytes());
  }

  /**
   * Reads a witness of one family.
   *
   * @throws NativeException MALFORMED_REQUEST for any fault of the bytes
   */
  static <T> T read(byte[] bytes, Family family, BiFunction<TxCore, NativeReply, T> fields) {
    NativeReply in = NativeReply.untrusted(bytes);
    if (in.u8() != VERSION || in.u8() != family.code()) {
      throw new NativeException(
          NativeErrorCode.MALFORMED_REQUEST, "not a witness of this family and version");
    }
    try {
      T value = fields.apply(TxCore.of(in.bytes(Digest32.BYTES)), in);
      in.requireEnd();
      return value;
    } catch (ProtocolException | IllegalArgumentException e) {
      throw new NativeException(
          NativeErrorCode.MALFORMED_REQUEST, String.valueOf(e.getMessage()), e);
    }
  }
}
