package io.solidus.prover;

import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.Scalar;
import io.solidus.protocol.ShownSignature;
import io.solidus.protocol.TxCore;
import java.util.List;

/**
 * The witness of an unregulated transfer. It contains no spend key.
 *
 * @param core of the statement
 * @param alpha of rk = pk_auth * g^alpha, on Jubjub
 * @param shows of the two inputs; a dummy shows the first input's signature once more
 * @param openings the o of each show
 * @param shownMessages the message of each show
 */
public record UnregulatedWitness(
    TxCore core,
    UnregulatedPlan plan,
    KeyScalar alpha,
    List<ShownSignature> shows,
    List<Scalar> openings,
    List<FieldElement> shownMessages) {
  private static final int SHOWS = 2;

  public UnregulatedWitness {
    shows = NativeRequest.exactly(SHOWS, shows, "shown signatures");
    openings = NativeRequest.exactly(SHOWS, openings, "openings");
    shownMessages = NativeRequest.exactly(SHOWS, shownMessages, "shown messages");
  }

  /**
   * Encodes the witness for delegated proving. The bytes are secret; the caller overwrites them.
   */
  public byte[] toBytes() {
    NativeRequest out =
        plan.write(WitnessFormat.start(Family.TRANSFER_UNREGULATED, core)).keyScalar(alpha);
    for (int i = 0; i < SHOWS; i++) {
      out.shown(shows.get(i)).scalar(openings.get(i)).field(shownMessages.get(i));
    }
    return out.take();
  }

  /**
   * Decodes {@link #toBytes}.
   *
   * @throws NativeException MALFORMED_REQUEST
   */
  public static UnregulatedWitness fromBytes(byte[] bytes) {
    return WitnessFormat.read(bytes, Family.TRANSFER_UNREGULATED, UnregulatedWitness::read);
  }

  private static UnregulatedWitness read(TxCore core, NativeReply in) {
    UnregulatedPlan plan = UnregulatedPlan.read(in);
    KeyScalar alpha = in.keyScalar();
    ShownSignature show0 = in.shown();
    Scalar opening0 = in.scalar();
    FieldElement message0 = in.field();
    return new UnregulatedWitness(
        core,
        plan,
        alpha,
        List.of(show0, in.shown()),
        List.of(opening0, in.scalar()),
        List.of(message0, in.field()));
  }

  @Override
  public String toString() {
    return "UnregulatedWitness[redacted]";
  }
}
