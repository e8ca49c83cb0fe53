package io.solidus.prover;

import io.solidus.protocol.Family;
import io.solidus.protocol.TxCore;

/**
 * The witness of a mint.
 *
 * @param core of the statement
 */
public record MintWitness(TxCore core, MintPlan plan) {

  /**
   * Encodes the witness for delegated proving. The bytes are secret; the caller overwrites them.
   */
  public byte[] toBytes() {
    return plan.write(WitnessFormat.start(Family.MINT, core)).take();
  }

  /**
   * Decodes {@link #toBytes}.
   *
   * @throws NativeException MALFORMED_REQUEST
   */
  public static MintWitness fromBytes(byte[] bytes) {
    return WitnessFormat.read(
        bytes, Family.MINT, (core, in) -> new MintWitness(core, MintPlan.read(in)));
  }

  @Override
  public String toString() {
    return "MintWitness[redacted]";
  }
}
