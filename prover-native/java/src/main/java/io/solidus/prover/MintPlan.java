package io.solidus.prover;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.Scalar;

/** The values that the receiver of a mint chooses before its coin is made. */
public record MintPlan(
    Apk apk, Amount value, InputDigest d, FieldElement seed, FieldElement s, Scalar b) {

  NativeRequest write(NativeRequest request) {
    return request
        .field(apk.value())
        .u64(value.minor())
        .field(d.value())
        .field(seed)
        .blinding(s, b);
  }

  static MintPlan read(NativeReply in) {
    return new MintPlan(
        in.apk(), in.amount(), new InputDigest(in.field()), in.field(), in.field(), in.scalar());
  }

  @Override
  public String toString() {
    return "MintPlan[redacted]";
  }
}
