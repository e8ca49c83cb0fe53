package io.solidus.protocol;

import java.util.Arrays;
import java.util.List;

/**
 * A mint as submitted.
 *
 * @param proof 576 bytes
 * @param approvals by different approvers; a validator needs two that it trusts
 */
public record MintRequest(
    MintStatement statement, int circuitVersion, byte[] proof, List<MintApproval> approvals) {
  private static final int MAX_APPROVALS = 8;

  public MintRequest {
    ProofBytes.requireVersion(circuitVersion);
    proof = ProofBytes.proof(proof, Family.MINT);
    approvals = List.copyOf(approvals);
    if (approvals.size() > MAX_APPROVALS
        || approvals.stream().map(MintApproval::approver).distinct().count() != approvals.size()) {
      throw ProtocolException.malformed("approvals are by different approvers");
    }
  }

  @Override
  public byte[] proof() {
    return proof.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MintRequest that
        && statement.equals(that.statement)
        && circuitVersion == that.circuitVersion
        && Arrays.equals(proof, that.proof)
        && approvals.equals(that.approvals);
  }

  @Override
  public int hashCode() {
    return 31 * statement.hashCode() + Arrays.hashCode(proof);
  }

  @Override
  public String toString() {
    return "MintRequest[circuit " + circuitVersion + ", " + approvals.size() + " approvals]";
  }
}
