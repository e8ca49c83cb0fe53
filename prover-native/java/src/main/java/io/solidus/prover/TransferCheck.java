package io.solidus.prover;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Evidence;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.TransferStatement;

/**
 * One transfer of a batch.
 *
 * @param limits of the policy it is proved under
 * @param root of the sanction checkpoint it is proved under
 */
public record TransferCheck(
    TransferStatement statement, Evidence evidence, Limits limits, FieldElement root) {
  private static final Limits NONE = new Limits(Amount.ZERO, Amount.ZERO, Amount.ZERO, 0);

  /** An unregulated transfer has neither limits nor a sanction list. */
  public static TransferCheck unregulated(TransferStatement statement, Evidence evidence) {
    return new TransferCheck(statement, evidence, NONE, FieldElement.ZERO);
  }

  /**
   * What the library is asked about a transfer: the fixed layout of an item of VERIFY_TRANSFERS,
   * also for tools outside this process.
   */
  public byte[] encoded() {
    return limits.write(Verifier.transfer(Call.detached(), statement, evidence)).field(root).take();
  }
}
