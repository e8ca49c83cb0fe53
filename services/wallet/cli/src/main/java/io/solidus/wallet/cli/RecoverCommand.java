package io.solidus.wallet.cli;

import io.solidus.wallet.Wallet;
import io.solidus.wallet.session.RecoverService.Recovered;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code recover}. */
@Command(
    name = "recover",
    description = {
      "Frees an account that two devices of one phrase, or an old copy of the wallet, locked:"
          + " payments end with serial-conflict.",
      "It first sends again what can still complete. Otherwise it gives up the largest payment that"
          + " did not complete: that amount is lost to you, although its payee may be paid.",
      "An account that is not locked stays as it is."
    })
final class RecoverCommand extends OpenWalletCommand {
  private static final String RISK =
      "A recover may cost you the largest payment that did not complete. Nobody can tell whether"
          + " its payee is paid. Say --accept-loss to go on";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--accept-loss",
      description = "go on although the largest payment that did not complete may be lost")
  private boolean acceptLoss;

  @Option(
      names = "--even-if-paid",
      description = {
        "burn also a payment of which too few authorities answer to tell whether it has completed",
        "Without it the command ends with no-quorum, and you may ask again later or through another"
            + " gateway."
      })
  private boolean evenIfPaid;

  RecoverCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    if (!acceptLoss) {
      throw new CommandLine.ParameterException(spec.commandLine(), RISK);
    }
    Recovered recovered = wallet.recover(evenIfPaid);
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("recovers", recovered.recovers());
    json.put("burntMinor", recovered.burnt().minor());
    json.put("lostMinor", recovered.lost().minor());
    json.put("returnedMinor", recovered.returned().minor());
    json.put("balanceMinor", wallet.balance().total().minor());
    return Result.done(json, text(wallet, recovered));
  }

  private static String text(Wallet wallet, Recovered recovered) {
    String balance = "The balance is " + money(wallet, wallet.balance().total()) + ".";
    if (recovered.burnt().isZero() && recovered.lost().isZero()) {
      return "The account is free, and nothing was burnt. " + balance;
    }
    String lost =
        recovered.lost().isZero()
            ? ""
            : " Coins of "
                + money(wallet, recovered.lost())
                + " are lost as well: other payments of yours hold them.";
    return "The account is free. "
        + money(wallet, recovered.burnt())
        + " were burnt. Ask the payee of that payment before you pay again: it may have arrived."
        + lost
        + " "
        + balance;
  }
}
