package io.solidus.wallet.cli;

import io.solidus.protocol.TxCore;
import io.solidus.wallet.Wallet;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code evidence}. */
@Command(
    name = "evidence",
    description = {
      "Writes what shows a third party that a transfer was made: the request, 2f+1 partial signatures and the opening.",
      "It reveals this one transfer to whoever gets it."
    })
final class EvidenceCommand extends OpenWalletCommand {
  @Parameters(
      index = "0",
      paramLabel = "TRANSFER",
      description = "as shown by pay and history --output json (64 hex digits)")
  private String core;

  EvidenceCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    String evidence = wallet.exportEvidence(TxCore.fromHex(core));
    return Result.done(Map.of("evidence", evidence), evidence);
  }
}
