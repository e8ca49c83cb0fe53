package io.solidus.wallet.gateway;

import io.solidus.protocol.MintApproval;
import java.util.List;

/**
 * The status of a mint at the issuer.
 *
 * @param status awaiting-approval, approved or refused
 * @param approvals signatures of the approvers; empty unless approved
 */
public record MintStatus(String status, List<MintApproval> approvals) {
  public MintStatus {
    approvals = List.copyOf(approvals);
  }

  public boolean approved() {
    return status.equals("approved");
  }

  public boolean refused() {
    return status.equals("refused");
  }
}
