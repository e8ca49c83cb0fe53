package io.solidus.wallet.transfer;

import io.solidus.protocol.Attachments;
import io.solidus.protocol.Coin;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.TransferStatement;
import io.solidus.prover.PreparedUnregulated;
import io.solidus.prover.UnregulatedPlan;
import io.solidus.wallet.keys.TransferSecrets;
import io.solidus.wallet.model.Memo;
import io.solidus.wallet.model.TransferRecord;
import java.util.List;

/**
 * A transfer of an unregulated network before its evidence: the statement and all of its openings.
 * It is a function of the seed, the memo and the attachments.
 */
public record UnregulatedDraft(
    TransferStatement statement,
    Attachments attachments,
    Memo memo,
    UnregulatedPlan plan,
    PreparedUnregulated prepared,
    TransferSecrets secrets)
    implements AutoCloseable {
  /** The recipient's coin, then the change. */
  public BlindedOutputs outputs() {
    return new BlindedOutputs(
        new Outputs(plan.d(), statement.period(), statement.outputs()),
        List.of(
            new BlindedOutputs.Opening(prepared.recipientMessage(), secrets.b().get(0)),
            new BlindedOutputs.Opening(prepared.changeMessage(), secrets.b().get(1))));
  }

  /** The wallet's own output, which may have the value zero. */
  public Coin change() {
    return prepared.changeCoin();
  }

  /** The record of this transfer; an unregulated network has no history commitment. */
  public TransferRecord record(NetworkId network) {
    return new TransferRecord(
        statement.core(network),
        statement.leadSerial(),
        statement.period(),
        memo,
        FieldElement.ZERO,
        FieldElement.ZERO);
  }

  @Override
  public void close() {
    secrets.close();
  }

  @Override
  public String toString() {
    return "UnregulatedDraft[redacted]";
  }
}
