package io.solidus.prover;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Apk;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.InputDigest;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.Period;
import io.solidus.protocol.Scalar;
import java.util.List;

/**
 * The values that a wallet chooses before the outputs of a regulated transfer are made. D is one of
 * them, because it depends on the serial numbers, the withdrawn amount and the context only.
 *
 * @param inputs two, or 16 of a claim of 16; dummies if fewer coins are spent
 * @param escrow whether the payment is an escrow; wallets make none yet
 * @param s commitment randomness of the two outputs
 * @param b blinding exponents of the two outputs
 * @param historyRandomness of the new history entry
 */
public record TransferPlan(
    FieldElement nk,
    KeyPoint pkAuth,
    ComplianceCoin cc,
    List<PlanInput> inputs,
    boolean escrow,
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
    inputs = List.copyOf(inputs);
    NativeRequest.exactly(inputsOf(familyOf(inputs)), inputs, "inputs");
    s = NativeRequest.exactly(2, s, "commitment randomness");
    b = NativeRequest.exactly(2, b, "blinding exponents");
  }

  /** The family of the transfer, which the number of inputs tells. */
  public Family family() {
    return familyOf(inputs);
  }

  private static Family familyOf(List<PlanInput> inputs) {
    return inputs.size() > inputsOf(Family.TRANSFER) ? Family.CLAIM_16 : Family.TRANSFER;
  }

  /** How many coins a transfer of a regulated network claims, dummies included. */
  public static int inputsOf(Family family) {
    return family.serials() - 1;
  }

  NativeRequest write(NativeRequest request) {
    request.field(nk).keyPoint(pkAuth);
    request.field(cc.owner().value()).complianceState(cc).inputs(inputs).flag(escrow);
    request.field(recipient.value()).u64(paid.minor()).u64(withdrawn.minor()).u32(period.yyyymm());
    request.field(d.value()).field(seed).field(historyRandomness);
    for (int j = 0; j < 2; j++) {
      request.blinding(s.get(j), b.get(j));
    }
    return request;
  }

  static TransferPlan read(NativeReply in, Family family) {
    FieldElement nk = in.field();
    KeyPoint pkAuth = in.keyPoint();
    ComplianceCoin cc = in.complianceCoin();
    List<PlanInput> inputs = in.inputs(inputsOf(family));
    boolean escrow = in.flag();
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
        escrow,
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
