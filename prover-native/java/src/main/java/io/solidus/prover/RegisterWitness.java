package io.solidus.prover;

import io.solidus.protocol.Family;
import io.solidus.protocol.KeyScalar;
import io.solidus.protocol.TxCore;

/**
 * The witness of a registration. It contains no spend key.
 *
 * @param core of the statement
 */
public record RegisterWitness(TxCore core, RegisterPlan plan, KeyScalar alpha) {

  /**
   * Encodes the witness for delegated proving. The bytes are secret; the caller overwrites them.
   */
  public byte[] toBytes() {
    return plan.write(WitnessFormat.start(Family.REGISTER, core)).keyScalar(alpha).take();
  }

  /**
   * Decodes {@link #toBytes}.
   *
   * @throws NativeException MALFORMED_REQUEST
   */
  public static RegisterWitness fromBytes(byte[] bytes) {
    return WitnessFormat.read(
        bytes,
        Family.REGISTER,
        (core, in) -> new RegisterWitness(core, RegisterPlan.read(in), in.keyScalar()));
  }

  @Override
  public String toString() {
    return "RegisterWitness[redacted]";
  }
}
