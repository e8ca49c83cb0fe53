package io.solidus.prover;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.Scalar;
import java.util.List;

/**
 * What a wallet decides before an unregulated transfer exists.
 *
 * @param inputs two coins; the second may be a dummy
 * @param change goes to the sender's own address
 */
public record UnregulatedPlan(
    FieldElement nk,
    G1Point pkAuth,
    List<PlanInput> inputs,
    Apk recipient,
    Amount paid,
    Amount change,
    Amount withdrawn,
    InputDigest d,
    FieldElement seed,
    List<FieldElement> s,
    List<Scalar> b) {

  public UnregulatedPlan {
    inputs = Codes.exactly(2, inputs, "inputs");
    s = Codes.exactly(2, s, "commitment randomness");
    b = Codes.exactly(2, b, "blinding exponents");
    if (inputs.getFirst().dummy()) {
      throw new IllegalArgumentException("the first input is a coin");
    }
  }

  Call write(Call call) {
    Codes.inputs(call.field(nk).point(pkAuth), inputs);
    call.field(recipient.value()).u64(paid.minor()).u64(change.minor()).u64(withdrawn.minor());
    call.field(d.value()).field(seed);
    for (int j = 0; j < 2; j++) {
      Codes.blinding(call, s.get(j), b.get(j));
    }
    return call;
  }

  static UnregulatedPlan read(Reply in) {
    FieldElement nk = in.field();
    G1Point pkAuth = in.g1();
    List<PlanInput> inputs = Codes.inputs(in);
    Apk recipient = in.apk();
    Amount paid = in.amount();
    Amount change = in.amount();
    Amount withdrawn = in.amount();
    InputDigest d = new InputDigest(in.field());
    FieldElement seed = in.field();
    FieldElement s0 = in.field();
    Scalar b0 = in.scalar();
    return new UnregulatedPlan(
        nk,
        pkAuth,
        inputs,
        recipient,
        paid,
        change,
        withdrawn,
        d,
        seed,
        List.of(s0, in.field()),
        List.of(b0, in.scalar()));
  }

  @Override
  public String toString() {
    return "UnregulatedPlan[redacted]";
  }
}
