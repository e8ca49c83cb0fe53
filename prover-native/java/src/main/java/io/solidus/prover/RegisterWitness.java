package io.solidus.prover;

import io.solidus.protocol.Family;
import io.solidus.protocol.Scalar;

/** The witness of a registration. It contains no spend key. */
public record RegisterWitness(RegisterPlan plan, Scalar alpha) {

  /**
   * Encodes the witness for delegated proving. The bytes are secret; the caller overwrites them.
   */
  public byte[] toBytes() {
    return plan.write(WitnessFormat.start(Family.REGISTER)).scalar(alpha).take();
  }

  /**
   * Decodes {@link #toBytes}.
   *
   * @throws NativeException MALFORMED_REQUEST
   */
  public static RegisterWitness fromBytes(byte[] bytes) {
    return WitnessFormat.read(
        bytes, Family.REGISTER, in -> new RegisterWitness(RegisterPlan.read(in), in.scalar()));
  }

  @Override
  public String toString() {
    return "RegisterWitness[redacted]";
  }
}
