package io.solidus.wallet.transfer;

import io.solidus.protocol.Attachments;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.TransferStatement;
import io.solidus.prover.PreparedTransfer;
import io.solidus.prover.TransferPlan;
import io.solidus.wallet.keys.TransferSecrets;
import io.solidus.wallet.model.Memo;
import io.solidus.wallet.model.TransferRecord;
import java.util.stream.IntStream;

/**
 * A transfer before its evidence: the statement and all of its openings. It is a function of the
 * seed, the compliance coin, the memo and the attachments, so it can be recomputed at any time.
 */
public record TransferDraft(
    TransferStatement statement,
    Attachments attachments,
    Memo memo,
    TransferPlan plan,
    PreparedTransfer prepared,
    TransferSecrets secrets)
    implements AutoCloseable {
  /** The first payee's coin, then the next compliance coin, then the coins of other payees. */
  public BlindedOutputs outputs() {
    return new BlindedOutputs(
        new Outputs(plan.d(), statement.period(), statement.outputs()),
        IntStream.range(0, prepared.messages().size())
            .mapToObj(
                j -> new BlindedOutputs.Opening(prepared.messages().get(j), secrets.b().get(j)))
            .toList());
  }

  public TransferRecord record(NetworkId network) {
    return new TransferRecord(
        statement.core(network),
        statement.leadSerial(),
        statement.period(),
        memo,
        secrets.historyRandomness(),
        prepared.next().com());
  }

  @Override
  public void close() {
    secrets.close();
  }

  @Override
  public String toString() {
    return "TransferDraft[redacted]";
  }
}
