package io.solidus.wallet.cli;

import io.solidus.protocol.TxCore;
import io.solidus.wallet.Wallet;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code evidence}. */
@Command(
    name = "evidence",
    description = {
      "Writes evidence of a transfer for a third party: the request, 2f+1 partial signatures and"
          + " the opening.",
      "It reveals this one transfer to its reader."
    })
final class EvidenceCommand extends OpenWalletCommand {
  @Parameters(
      index = "0",
      paramLabel = "TRANSFER",
      description = "as shown by pay and history --output json (64 hex digits)")
  private String core = "";

  EvidenceCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    String evidence = wallet.exportEvidence(TxCore.fromHex(core));
    return Result.done(Map.of("evidence", evidence), evidence);
  }
}
