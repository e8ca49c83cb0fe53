package io.solidus.operator.issuance.mint;

import io.solidus.protocol.MintApproval;
import io.solidus.protocol.MintId;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.MintStatement;
import io.solidus.protocol.TxCore;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A requested mint.
 *
 * @param recordedBy the operator who recorded the funding
 * @param request without approvals
 * @param reason the reason of a refusal
 */
record Mint(
    long sequence,
    String fundingId,
    String recordedBy,
    TxCore core,
    MintRequest request,
    MintStatus status,
    Instant requestedAt,
    @Nullable String reason,
    List<MintApproval> approvals) {

  MintStatement statement() {
    return request.statement();
  }

  MintId id() {
    return statement().mintId();
  }

  boolean isApprovedBy(String approver) {
    return approvals.stream().anyMatch(approval -> approval.approver().equals(approver));
  }
}
