package io.solidus.wallet.model;

import io.solidus.protocol.Evidence;
import io.solidus.protocol.TransferRequest;
import org.jspecify.annotations.Nullable;

/**
 * The newest policy and the newest sanction checkpoint that the transfer in flight was ever proved
 * under. Rules only get newer, so all its evidence names these versions or older ones.
 */
public record ProvedUnder(long policyVersion, long checkpointVersion) {

  /**
   * The marks after a transfer is replaced by the same core with other evidence, or by another one.
   *
   * @param before the request in flight; null for none
   * @param mark of {@code before}; null when it is that of its evidence
   */
  static ProvedUnder after(
      @Nullable TransferRequest before, @Nullable ProvedUnder mark, TransferRequest next) {
    ProvedUnder proved = of(next);
    return before != null && before.statement().equals(next.statement())
        ? proved.max(mark == null ? of(before) : mark)
        : proved;
  }

  static ProvedUnder of(TransferRequest request) {
    Evidence evidence = request.evidence();
    return new ProvedUnder(evidence.policyVersion(), evidence.checkpointVersion());
  }

  private ProvedUnder max(ProvedUnder other) {
    return new ProvedUnder(
        Math.max(policyVersion, other.policyVersion),
        Math.max(checkpointVersion, other.checkpointVersion));
  }

  /** Versions that another party invented are above all that this wallet has ever seen. */
  public ProvedUnder notAbove(@Nullable RuleMark policy, @Nullable RuleMark checkpoint) {
    return new ProvedUnder(
        policy == null ? policyVersion : Math.min(policyVersion, policy.version()),
        checkpoint == null ? checkpointVersion : Math.min(checkpointVersion, checkpoint.version()));
  }
}
