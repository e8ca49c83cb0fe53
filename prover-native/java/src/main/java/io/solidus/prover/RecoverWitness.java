package io.solidus.prover;

import io.solidus.protocol.Family;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.TxCore;

/**
 * The witness of a recover. It contains no spend key.
 *
 * @param core of the recover
 */
public record RecoverWitness(TxCore core, RecoverPlan plan, KeyScalar alpha) {

  /**
   * Encodes the witness for delegated proving. The bytes are secret; the caller overwrites them.
   */
  public byte[] toBytes() {
    return plan.write(WitnessFormat.start(Family.RECOVER, core)).keyScalar(alpha).take();
  }

  /**
   * Decodes {@link #toBytes}.
   *
   * @throws NativeException MALFORMED_REQUEST
   */
  public static RecoverWitness fromBytes(byte[] bytes) {
    return WitnessFormat.read(
        bytes,
        Family.RECOVER,
        (core, in) -> new RecoverWitness(core, RecoverPlan.read(in), in.keyScalar()));
  }

  @Override
  public String toString() {
    return "RecoverWitness[redacted]";
  }
}
