package io.solidus.protocol;

import java.util.Arrays;

/**
 * Proof that a recover may be signed.
 *
 * @param rk the randomised key whose signature over the core authorises the recover
 * @param rkSignature 96 bytes
 */
public record RecoverEvidence(int circuitVersion, KeyPoint rk, byte[] proof, byte[] rkSignature) {

  public RecoverEvidence {
    ProofBytes.requireVersion(circuitVersion);
    proof = ProofBytes.proof(proof, Family.RECOVER);
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
    return other instanceof RecoverEvidence that
        && circuitVersion == that.circuitVersion
        && rk.equals(that.rk)
        && Arrays.equals(proof, that.proof)
        && Arrays.equals(rkSignature, that.rkSignature);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(proof) + Arrays.hashCode(rkSignature);
  }

  @Override
  public String toString() {
    return "RecoverEvidence[circuit " + circuitVersion + "]";
  }
}
