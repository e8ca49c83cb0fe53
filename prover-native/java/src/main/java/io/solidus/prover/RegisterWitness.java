package io.solidus.prover;

import io.solidus.protocol.Family;
import io.solidus.protocol.Scalar;

/** What a prover needs for a registration; it holds no spend key. */
public record RegisterWitness(RegisterPlan plan, Scalar alpha) {

  /** A fixed encoding, for delegated proving. It is secret; the caller overwrites it after use. */
  public byte[] toBytes() {
    return plan.write(Witness.start(Family.REGISTER.code())).scalar(alpha).take();
  }

  /**
   * @throws NativeException MALFORMED_REQUEST
   */
  public static RegisterWitness fromBytes(byte[] bytes) {
    return Witness.read(
        bytes,
        Family.REGISTER.code(),
        in -> new RegisterWitness(RegisterPlan.read(in), in.scalar()));
  }

  @Override
  public String toString() {
    return "RegisterWitness[redacted]";
  }
}
