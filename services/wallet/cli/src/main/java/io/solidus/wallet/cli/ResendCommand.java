package io.solidus.wallet.cli;

import io.solidus.protocol.TxCore;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code resend}. */
@Command(
    name = "resend",
    description = {
      "Posts the coin of a finished payment once more, for a payee who has not received it.",
      "With --by-hand it posts nothing and shows the parcel, for a payee who is near and has no"
          + " network: 'receive --parcel' accepts it there.",
      "No money moves: the payee's wallet accepts the coin once."
    })
final class ResendCommand extends OpenWalletCommand {
  @Parameters(
      index = "0",
      paramLabel = "TRANSFER",
      description = "as shown by pay and history --output json (64 hex digits)")
  private String core = "";

  @Mixin private PayeeOption payee = new PayeeOption();

  @Option(names = "--by-hand", description = "shows the parcel, which only the payee can open")
  private boolean byHand;

  ResendCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    TxCore transfer = TxCore.fromHex(core);
    if (byHand) {
      String parcel =
          payee.isGiven() ? wallet.parcel(transfer, payee.place()) : wallet.parcel(transfer);
      return Result.done(Map.of("parcel", parcel), parcel);
    }
    boolean posted =
        payee.isGiven() ? wallet.resend(transfer, payee.place()) : wallet.resend(transfer);
    return posted
        ? Result.done(Map.of("delivered", true), "Posted.")
        : new Result(
            Map.of("delivered", false),
            "The mailbox cannot be reached; the next command tries again.",
            WalletError.Exit.TRY_AGAIN);
  }
}
