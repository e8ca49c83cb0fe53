package io.solidus.prover;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.Period;
import io.solidus.protocol.Scalar;
import java.util.List;

/**
 * The values that a wallet chooses before the outputs of an unregulated transfer are made.
 *
 * @param inputs two coins; the second may be a dummy
 * @param change goes to the sender's own address
 */
public record UnregulatedPlan(
    FieldElement nk,
    KeyPoint pkAuth,
    List<PlanInput> inputs,
    Apk recipient,
    Amount paid,
    Amount change,
    Amount withdrawn,
    Period period,
    InputDigest d,
    FieldElement seed,
    List<FieldElement> s,
    List<Scalar> b) {

  public UnregulatedPlan {
    inputs = NativeRequest.exactly(2, inputs, "inputs");
    s = NativeRequest.exactly(2, s, "commitment randomness");
    b = NativeRequest.exactly(2, b, "blinding exponents");
    if (inputs.getFirst().dummy()) {
      throw new IllegalArgumentException("the first input is a coin");
    }
  }

  NativeRequest write(NativeRequest request) {
    request.field(nk).keyPoint(pkAuth).inputs(inputs);
    request.field(recipient.value()).u64(paid.minor()).u64(change.minor());
    request.u64(withdrawn.minor()).u32(period.yyyymm());
    request.field(d.value()).field(seed);
    for (int j = 0; j < 2; j++) {
      request.blinding(s.get(j), b.get(j));
    }
    return request;
  }

  static UnregulatedPlan read(NativeReply in) {
    FieldElement nk = in.field();
    KeyPoint pkAuth = in.keyPoint();
    List<PlanInput> inputs = in.inputs(2);
    Apk recipient = in.apk();
    Amount paid = in.amount();
    Amount change = in.amount();
    Amount withdrawn = in.amount();
    Period period = in.period();
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
        period,
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
