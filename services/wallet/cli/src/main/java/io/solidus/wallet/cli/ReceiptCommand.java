package io.solidus.wallet.cli;

import io.solidus.protocol.TxCore;
import io.solidus.wallet.Wallet;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code receipt}. */
@Command(
    name = "receipt",
    description = {
      "Writes a receipt of a transfer: the votes of 2f+1 authorities, the amount and the payee.",
      "Anybody can check it with verify-receipt. It reveals this one payment to its reader."
    })
final class ReceiptCommand extends OpenWalletCommand {
  @Parameters(
      index = "0",
      paramLabel = "TRANSFER",
      description = "as shown by pay and history --output json (64 hex digits)")
  private String core = "";

  @Mixin private PayeeOption payee = new PayeeOption();

  ReceiptCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    TxCore transfer = TxCore.fromHex(core);
    String receipt =
        (payee.isGiven() ? wallet.receipt(transfer, payee.place()) : wallet.receipt(transfer))
            .toJson();
    return Result.done(Map.of("receipt", receipt), receipt);
  }
}
