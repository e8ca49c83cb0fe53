package io.solidus.prover;

import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.TxCore;
import java.util.List;

/**
 * The witness of a regulated transfer. It reveals the payment, but contains no spend key, so a
 * delegated prover learns the payment and cannot steal the money.
 *
 * @param core of the statement
 * @param alpha of rk = pk_auth * g^alpha, on Jubjub
 * @param shows of the compliance coin, then of the inputs; a dummy shows the compliance coin's
 *     signature once more
 * @param openings the o of each show
 * @param shownMessages the message of each show
 * @param recipients the paths of the payees, in the order of the payments
 */
public record TransferWitness(
    TxCore core,
    TransferPlan plan,
    KeyScalar alpha,
    List<ShownSignature> shows,
    List<Scalar> openings,
    List<FieldElement> shownMessages,
    Limits limits,
    FieldElement root,
    MembershipPath sender,
    List<MembershipPath> recipients) {

  public TransferWitness {
    int count = plan.family().serials();
    shows = NativeRequest.exactly(count, shows, "shown signatures");
    openings = NativeRequest.exactly(count, openings, "openings");
    shownMessages = NativeRequest.exactly(count, shownMessages, "shown messages");
    recipients = NativeRequest.exactly(plan.payments().size(), recipients, "paths of payees");
  }

  /** The witness of a transfer to one payee. */
  public TransferWitness(
      TxCore core,
      TransferPlan plan,
      KeyScalar alpha,
      List<ShownSignature> shows,
      List<Scalar> openings,
      List<FieldElement> shownMessages,
      Limits limits,
      FieldElement root,
      MembershipPath sender,
      MembershipPath recipient) {
    this(
        core,
        plan,
        alpha,
        shows,
        openings,
        shownMessages,
        limits,
        root,
        sender,
        List.of(recipient));
  }

  /**
   * Encodes the witness for delegated proving. The bytes are secret; the caller overwrites them.
   */
  public byte[] toBytes() {
    NativeRequest out = plan.write(WitnessFormat.start(plan.family(), core)).keyScalar(alpha);
    for (int i = 0; i < shows.size(); i++) {
      out.shown(shows.get(i)).scalar(openings.get(i)).field(shownMessages.get(i));
    }
    limits.write(out).field(root);
    sender.write(out);
    recipients.forEach(path -> path.write(out));
    return out.take();
  }

  /**
   * Decodes {@link #toBytes} of a transfer.
   *
   * @throws NativeException MALFORMED_REQUEST
   */
  public static TransferWitness fromBytes(byte[] bytes) {
    return fromBytes(bytes, Family.TRANSFER);
  }

  /**
   * Decodes {@link #toBytes}.
   *
   * @param family TRANSFER or a shape
   * @throws NativeException MALFORMED_REQUEST
   */
  public static TransferWitness fromBytes(byte[] bytes, Family family) {
    return WitnessFormat.read(bytes, family, (core, in) -> read(core, in, family));
  }

  private static TransferWitness read(TxCore core, NativeReply in, Family family) {
    TransferPlan plan = TransferPlan.read(in, family);
    KeyScalar alpha = in.keyScalar();
    List<Show> all =
        NativeReply.repeat(family.serials(), () -> new Show(in.shown(), in.scalar(), in.field()));
    Limits limits = new Limits(in.amount(), in.amount(), in.amount(), in.amount(), in.u32());
    FieldElement root = in.field();
    return new TransferWitness(
        core,
        plan,
        alpha,
        all.stream().map(Show::signature).toList(),
        all.stream().map(Show::opening).toList(),
        all.stream().map(Show::message).toList(),
        limits,
        root,
        MembershipPath.read(in),
        NativeReply.repeat(family.payments(), () -> MembershipPath.read(in)));
  }

  private record Show(ShownSignature signature, Scalar opening, FieldElement message) {}

  @Override
  public String toString() {
    return "TransferWitness[redacted]";
  }
}
