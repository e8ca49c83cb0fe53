package io.solidus.wallet.gateway;

import io.solidus.protocol.MintApproval;
import java.util.List;

/**
 * Where a mint stands at the issuer.
 *
 * @param status awaiting-approval, approved or refused
 * @param approvals when approved
 */
public record MintState(String status, List<MintApproval> approvals) {
  public MintState {
    approvals = List.copyOf(approvals);
  }

  public boolean approved() {
    return status.equals("approved");
  }

  public boolean refused() {
    return status.equals("refused");
  }
}
