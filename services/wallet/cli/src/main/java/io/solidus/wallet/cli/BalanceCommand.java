package io.solidus.wallet.cli;

import io.solidus.protocol.NetworkKind;
import io.solidus.wallet.Balance;
import io.solidus.wallet.Wallet;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;

/** The command {@code balance}. */
@Command(
    name = "balance",
    description =
        "Shows the money of the wallet: held (spendable) and unclaimed (received; claimed by the"
            + " next transfers). In an unregulated network all money is spendable as it is.")
final class BalanceCommand extends OpenWalletCommand {
  BalanceCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    return Result.done(json(wallet), text(wallet));
  }

  static Map<String, Object> json(Wallet wallet) {
    Balance balance = wallet.balance();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("currency", wallet.profile().currency().value());
    json.put("totalMinor", balance.total().minor());
    json.put("heldMinor", balance.held().minor());
    json.put("unclaimedMinor", balance.unclaimed().minor());
    json.put("unclaimedCoins", balance.unclaimedCoins());
    return json;
  }

  static String text(Wallet wallet) {
    Balance balance = wallet.balance();
    if (wallet.profile().kind() == NetworkKind.UNREGULATED) {
      return "Balance:   "
          + money(wallet, balance.total())
          + " in "
          + balance.unclaimedCoins()
          + " coins";
    }
    return "Balance:   "
        + money(wallet, balance.total())
        + "\nHeld:      "
        + money(wallet, balance.held())
        + "\nUnclaimed: "
        + money(wallet, balance.unclaimed())
        + " in "
        + balance.unclaimedCoins()
        + " coins";
  }
}
