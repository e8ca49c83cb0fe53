package io.solidus.wallet.cli;

import io.solidus.wallet.Wallet;
import io.solidus.wallet.WalletStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code settle}. */
@Command(name = "settle", description = "Finishes what was left: a transfer in flight, deliveries, payouts.")
final class SettleCommand extends OpenWalletCommand {
  SettleCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    boolean finished = wallet.settle().isPresent();
    WalletStatus status = wallet.status();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("finishedTransfer", finished);
    json.put("pendingDeliveries", status.pendingDeliveries());
    json.put("pendingRedemptions", status.pendingRedemptions());
    return Result.done(
        json,
        (finished ? "A transfer was finished. " : "No transfer was in flight. ") + status.pendingDeliveries() + " deliveries and "
            + status.pendingRedemptions() + " payouts are left.");
  }
}
