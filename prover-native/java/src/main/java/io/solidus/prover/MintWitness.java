package io.solidus.prover;

import io.solidus.protocol.Family;

/** What a prover needs for a mint. */
public record MintWitness(MintPlan plan) {

  /** A fixed encoding, for delegated proving. It is secret; the caller overwrites it after use. */
  public byte[] toBytes() {
    return plan.write(Witness.start(Family.MINT.code())).take();
  }

  /**
   * @throws NativeException MALFORMED_REQUEST
   */
  public static MintWitness fromBytes(byte[] bytes) {
    return Witness.read(bytes, Family.MINT.code(), in -> new MintWitness(MintPlan.read(in)));
  }

  @Override
  public String toString() {
    return "MintWitness[redacted]";
  }
}
