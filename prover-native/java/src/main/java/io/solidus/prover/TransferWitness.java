package io.solidus.prover;

import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.ShownSignature;
import java.util.List;

/**
 * What a prover needs for a regulated transfer. It reveals the payment to whoever sees it, but
 * holds no spend key: a delegated prover learns and cannot steal.
 *
 * @param alpha of rk = pk_auth * g1^alpha
 * @param shows of the compliance coin, then of the two inputs; a dummy shows the compliance coin's
 *     signature once more
 * @param openings the o of each show
 * @param shownMessages the message of each show
 */
public record TransferWitness(
    TransferPlan plan,
    Scalar alpha,
    List<ShownSignature> shows,
    List<Scalar> openings,
    List<FieldElement> shownMessages,
    Limits limits,
    FieldElement root,
    MembershipPath sender,
    MembershipPath recipient) {
  private static final int SHOWS = 3;

  public TransferWitness {
    shows = Codes.exactly(SHOWS, shows, "shown signatures");
    openings = Codes.exactly(SHOWS, openings, "openings");
    shownMessages = Codes.exactly(SHOWS, shownMessages, "shown messages");
  }

  /** A fixed encoding, for delegated proving. It is secret; the caller overwrites it after use. */
  public byte[] toBytes() {
    Call out = plan.write(Witness.start(Family.TRANSFER.code())).scalar(alpha);
    for (int i = 0; i < SHOWS; i++) {
      out.shown(shows.get(i)).scalar(openings.get(i)).field(shownMessages.get(i));
    }
    limits.write(out).field(root);
    return recipient.write(sender.write(out)).take();
  }

  /**
   * @throws NativeException MALFORMED_REQUEST
   */
  public static TransferWitness fromBytes(byte[] bytes) {
    return Witness.read(bytes, Family.TRANSFER.code(), TransferWitness::read);
  }

  private static TransferWitness read(Reply in) {
    TransferPlan plan = TransferPlan.read(in);
    Scalar alpha = in.scalar();
    List<Show> all = Reply.repeat(SHOWS, () -> new Show(in.shown(), in.scalar(), in.field()));
    Limits limits = new Limits(in.amount(), in.amount(), in.amount(), in.u32());
    FieldElement root = in.field();
    return new TransferWitness(
        plan,
        alpha,
        all.stream().map(Show::signature).toList(),
        all.stream().map(Show::opening).toList(),
        all.stream().map(Show::message).toList(),
        limits,
        root,
        MembershipPath.read(in),
        MembershipPath.read(in));
  }

  private record Show(ShownSignature signature, Scalar opening, FieldElement message) {}

  @Override
  public String toString() {
    return "TransferWitness[redacted]";
  }
}
