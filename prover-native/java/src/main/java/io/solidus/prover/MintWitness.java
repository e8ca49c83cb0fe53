package io.solidus.prover;

import io.solidus.protocol.Family;

/** The witness of a mint. */
public record MintWitness(MintPlan plan) {

  /**
   * Encodes the witness for delegated proving. The bytes are secret; the caller overwrites them.
   */
  public byte[] toBytes() {
    return plan.write(WitnessFormat.start(Family.MINT)).take();
  }

  /**
   * Decodes {@link #toBytes}.
   *
   * @throws NativeException MALFORMED_REQUEST
   */
  public static MintWitness fromBytes(byte[] bytes) {
    return WitnessFormat.read(bytes, Family.MINT, in -> new MintWitness(MintPlan.read(in)));
  }

  @Override
  public String toString() {
    return "MintWitness[redacted]";
  }
}
