package io.solidus.prover;

import io.solidus.protocol.Evidence;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.TransferStatement;

/**
 * A transfer to verify, as an item of a batch.
 *
 * @param limits of the policy it is proved under
 * @param root of the sanction checkpoint it is proved under
 */
public record TransferBatchItem(
    TransferStatement statement, Evidence evidence, Limits limits, FieldElement root) {
  /** Makes the item of an unregulated transfer, which has neither limits nor a sanction list. */
  public static TransferBatchItem unregulated(TransferStatement statement, Evidence evidence) {
    return new TransferBatchItem(statement, evidence, Limits.NONE, FieldElement.ZERO);
  }

  /**
   * Returns the fixed layout of an item of VERIFY_TRANSFERS, which tools outside this process use
   * too.
   */
  public byte[] encoded() {
    return limits
        .write(Verifier.transfer(NativeRequest.detached(), statement, evidence))
        .field(root)
        .take();
  }
}
