package io.solidus.prover;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.Scalar;

/** What the receiver of an issue decides before the mint exists. */
public record MintPlan(
    Apk apk, Amount value, InputDigest d, FieldElement seed, FieldElement s, Scalar b) {

  Call write(Call call) {
    return Codes.blinding(
        call.field(apk.value()).u64(value.minor()).field(d.value()).field(seed), s, b);
  }

  static MintPlan read(Reply in) {
    return new MintPlan(
        in.apk(), in.amount(), new InputDigest(in.field()), in.field(), in.field(), in.scalar());
  }

  @Override
  public String toString() {
    return "MintPlan[redacted]";
  }
}
