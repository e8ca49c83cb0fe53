package io.solidus.protocol;

import java.util.Arrays;
import java.util.List;

/**
 * Proof that a transfer may be signed, and the versions of the rules it was made for. Evidence may
 * be renewed for the same core, so its bytes identify nothing.
 *
 * @param rk the randomised key whose signature over the core authorises the transfer
 * @param shows one for each serial number of the statement, in their order
 * @param proof of the length of a transfer family's ({@link Family#proofBytes})
 * @param rkSignature 96 bytes
 */
public record Evidence(
    long policyVersion,
    long checkpointVersion,
    int circuitVersion,
    KeyPoint rk,
    List<ShownSignature> shows,
    byte[] proof,
    byte[] rkSignature) {

  public Evidence {
    if (policyVersion < 0 || checkpointVersion < 0) {
      throw ProtocolException.malformed("a version is not negative");
    }
    ProofBytes.requireVersion(circuitVersion);
    shows = List.copyOf(shows);
    proof = ProofBytes.transferProof(proof);
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
    return other instanceof Evidence that
        && policyVersion == that.policyVersion
        && checkpointVersion == that.checkpointVersion
        && circuitVersion == that.circuitVersion
        && rk.equals(that.rk)
        && shows.equals(that.shows)
        && Arrays.equals(proof, that.proof)
        && Arrays.equals(rkSignature, that.rkSignature);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(proof) + Arrays.hashCode(rkSignature);
  }

  @Override
  public String toString() {
    return "Evidence[policy "
        + policyVersion
        + ", checkpoint "
        + checkpointVersion
        + ", circuit "
        + circuitVersion
        + "]";
  }
}
