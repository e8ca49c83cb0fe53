package io.solidus.prover;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.Scalar;

/** The values that a wallet chooses before its first compliance coin is made. */
public record RegisterPlan(
    FieldElement nk, KeyPoint pkAuth, InputDigest d, FieldElement seed, FieldElement s, Scalar b) {

  NativeRequest write(NativeRequest request) {
    return request.field(nk).keyPoint(pkAuth).field(d.value()).field(seed).blinding(s, b);
  }

  static RegisterPlan read(NativeReply in) {
    return new RegisterPlan(
        in.field(),
        in.keyPoint(),
        new InputDigest(in.field()),
        in.field(),
        in.field(),
        in.scalar());
  }

  @Override
  public String toString() {
    return "RegisterPlan[redacted]";
  }
}
