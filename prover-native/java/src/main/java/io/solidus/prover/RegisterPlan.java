package io.solidus.prover;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.Scalar;

/** What a wallet decides before a registration exists. */
public record RegisterPlan(
    FieldElement nk, G1Point pkAuth, InputDigest d, FieldElement seed, FieldElement s, Scalar b) {

  Call write(Call call) {
    return Codes.blinding(call.field(nk).point(pkAuth).field(d.value()).field(seed), s, b);
  }

  static RegisterPlan read(Reply in) {
    return new RegisterPlan(
        in.field(), in.g1(), new InputDigest(in.field()), in.field(), in.field(), in.scalar());
  }

  @Override
  public String toString() {
    return "RegisterPlan[redacted]";
  }
}
