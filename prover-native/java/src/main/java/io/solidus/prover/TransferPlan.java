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
 * @param payments one, or eight of a transfer to eight payees; those that pay nobody are {@link
 *     Payment#nothing}
 * @param s commitment randomness of the outputs, in their order
 * @param b blinding exponents of the outputs, in their order
 * @param historyRandomness of the new history entry
 */
public record TransferPlan(
    FieldElement nk,
    KeyPoint pkAuth,
    ComplianceCoin cc,
    List<PlanInput> inputs,
    boolean escrow,
    List<Payment> payments,
    Amount withdrawn,
    Period period,
    InputDigest d,
    FieldElement seed,
    List<FieldElement> s,
    List<Scalar> b,
    FieldElement historyRandomness) {

  /** What a transfer pays to one payee. */
  public record Payment(Apk recipient, Amount paid) {

    /** A place that pays nobody: 0 to the payer, which nobody can tell from other payments. */
    public static Payment nothing(Apk payer) {
      return new Payment(payer, Amount.ZERO);
    }

    @Override
    public String toString() {
      return "Payment[redacted]";
    }
  }

  /**
   * @throws IllegalArgumentException for numbers of inputs, payments or secrets that no family has
   */
  public TransferPlan {
    inputs = List.copyOf(inputs);
    payments = List.copyOf(payments);
    Family family = familyOf(inputs, payments);
    NativeRequest.exactly(inputsOf(family), inputs, "inputs");
    NativeRequest.exactly(family.payments(), payments, "payments");
    s = NativeRequest.exactly(family.outputs(), s, "commitment randomness");
    b = NativeRequest.exactly(family.outputs(), b, "blinding exponents");
  }

  /** A plan that pays one payee. */
  public TransferPlan(
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
    this(
        nk,
        pkAuth,
        cc,
        inputs,
        escrow,
        List.of(new Payment(recipient, paid)),
        withdrawn,
        period,
        d,
        seed,
        s,
        b,
        historyRandomness);
  }

  /** The family of the transfer, which the numbers of inputs and payments tell. */
  public Family family() {
    return familyOf(inputs, payments);
  }

  private static Family familyOf(List<PlanInput> inputs, List<Payment> payments) {
    if (payments.size() > Family.TRANSFER.payments()) {
      return Family.PAY_8;
    }
    return inputs.size() > inputsOf(Family.TRANSFER) ? Family.CLAIM_16 : Family.TRANSFER;
  }

  /** How many coins a transfer of a regulated network claims, dummies included. */
  public static int inputsOf(Family family) {
    return family.serials() - 1;
  }

  /** The payee of the first payment, which is the only one but in a transfer to several. */
  public Apk recipient() {
    return payments.getFirst().recipient();
  }

  /** The sum of the payments, as the entry of the history has it. */
  public Amount paid() {
    return payments.stream().map(Payment::paid).reduce(Amount.ZERO, Amount::plus);
  }

  NativeRequest write(NativeRequest request) {
    request.field(nk).keyPoint(pkAuth);
    request.field(cc.owner().value()).complianceState(cc).inputs(inputs).flag(escrow);
    payments.forEach(
        payment -> request.field(payment.recipient().value()).u64(payment.paid().minor()));
    request.u64(withdrawn.minor()).u32(period.yyyymm());
    request.field(d.value()).field(seed).field(historyRandomness);
    for (int j = 0; j < s.size(); j++) {
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
    List<Payment> payments =
        NativeReply.repeat(family.payments(), () -> new Payment(in.apk(), in.amount()));
    Amount withdrawn = in.amount();
    Period period = in.period();
    InputDigest d = new InputDigest(in.field());
    FieldElement seed = in.field();
    FieldElement historyRandomness = in.field();
    List<Blinding> blindings =
        NativeReply.repeat(family.outputs(), () -> new Blinding(in.field(), in.scalar()));
    return new TransferPlan(
        nk,
        pkAuth,
        cc,
        inputs,
        escrow,
        payments,
        withdrawn,
        period,
        d,
        seed,
        blindings.stream().map(Blinding::s).toList(),
        blindings.stream().map(Blinding::b).toList(),
        historyRandomness);
  }

  private record Blinding(FieldElement s, Scalar b) {}

  @Override
  public String toString() {
    return "TransferPlan[redacted]";
  }
}
