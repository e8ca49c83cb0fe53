package io.solidus.protocol;

import java.util.Arrays;

/**
 * A registration as submitted.
 *
 * @param proof 576 bytes
 * @param rkSignature 96 bytes, over the core under rk
 */
public record RegisterRequest(
    RegisterStatement statement,
    int circuitVersion,
    KeyPoint rk,
    byte[] proof,
    byte[] rkSignature) {

  public RegisterRequest {
    ProofBytes.requireVersion(circuitVersion);
    proof = ProofBytes.proof(proof, Family.REGISTER);
    rkSignature = ProofBytes.rkSignature(rkSignature);
  }

  @Override
  public byte[] proof() {
    return proof.clone();
  }

  @Override
  public byte[] rkSignature() {
    return rkSignature.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RegisterRequest that
        && statement.equals(that.statement)
        && circuitVersion == that.circuitVersion
        && rk.equals(that.rk)
        && Arrays.equals(proof, that.proof)
        && Arrays.equals(rkSignature, that.rkSignature);
  }

  @Override
  public int hashCode() {
    return 31 * statement.hashCode() + Arrays.hashCode(proof);
  }

  @Override
  public String toString() {
    return "RegisterRequest[circuit " + circuitVersion + "]";
  }
}
