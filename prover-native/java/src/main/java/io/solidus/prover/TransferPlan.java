package io.solidus.prover;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.Period;
import io.solidus.protocol.Scalar;
import java.util.List;

/**
 * What a wallet decides before a regulated transfer exists. D depends on the serial numbers, the
 * withdrawn amount and the context only, so it comes first.
 *
 * @param inputs two; dummies where fewer coins are spent
 * @param s commitment randomness of the two outputs
 * @param b blinding exponents of the two outputs
 * @param historyRandomness of the new history entry
 */
public record TransferPlan(
    FieldElement nk,
    G1Point pkAuth,
    ComplianceCoin cc,
    List<PlanInput> inputs,
    Apk recipient,
    Amount paid,
    Amount withdrawn,
    Period period,
    InputDigest d,
    FieldElement seed,
    List<FieldElement> s,
    List<Scalar> b,
    FieldElement historyRandomness) {

  public TransferPlan {
    inputs = Codes.exactly(2, inputs, "inputs");
    s = Codes.exactly(2, s, "commitment randomness");
    b = Codes.exactly(2, b, "blinding exponents");
  }

  Call write(Call call) {
    call.field(nk).point(pkAuth);
    call.field(cc.owner().value());
    Codes.inputs(Codes.compliance(call, cc), inputs);
    call.field(recipient.value()).u64(paid.minor()).u64(withdrawn.minor()).u32(period.yyyymm());
    call.field(d.value()).field(seed).field(historyRandomness);
    for (int j = 0; j < 2; j++) {
      Codes.blinding(call, s.get(j), b.get(j));
    }
    return call;
  }

  static TransferPlan read(Reply in) {
    FieldElement nk = in.field();
    G1Point pkAuth = in.g1();
    ComplianceCoin cc = in.complianceCoin();
    List<PlanInput> inputs = Codes.inputs(in);
    Apk recipient = in.apk();
    Amount paid = in.amount();
    Amount withdrawn = in.amount();
    Period period = in.period();
    InputDigest d = new InputDigest(in.field());
    FieldElement seed = in.field();
    FieldElement historyRandomness = in.field();
    FieldElement s0 = in.field();
    Scalar b0 = in.scalar();
    return new TransferPlan(
        nk,
        pkAuth,
        cc,
        inputs,
        recipient,
        paid,
        withdrawn,
        period,
        d,
        seed,
        List.of(s0, in.field()),
        List.of(b0, in.scalar()),
        historyRandomness);
  }

  @Override
  public String toString() {
    return "TransferPlan[redacted]";
  }
}
