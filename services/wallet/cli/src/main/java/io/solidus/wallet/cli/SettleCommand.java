package io.solidus.wallet.cli;

import io.solidus.wallet.Wallet;
import io.solidus.wallet.WalletStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;

/** The command {@code settle}. */
@Command(
    name = "settle",
    description = "Finishes pending work: a transfer in flight, deliveries, payouts.")
final class SettleCommand extends OpenWalletCommand {
  SettleCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    boolean inFlight = wallet.status().transferInFlight();
    boolean finished = wallet.settle().isPresent();
    WalletStatus status = wallet.status();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("finishedTransfer", finished);
    json.put("abandonedTransfer", inFlight && !finished);
    json.put("pendingDeliveries", status.pendingDeliveries());
    json.put("pendingRedemptions", status.pendingRedemptions());
    return Result.done(
        json,
        first(inFlight, finished)
            + status.pendingDeliveries()
            + " deliveries and "
            + status.pendingRedemptions()
            + " payouts are pending.");
  }

  private static String first(boolean inFlight, boolean finished) {
    if (!inFlight) {
      return "No transfer was in flight. ";
    }
    return finished
        ? "A transfer was finished. "
        : "A transfer was given up: its rules expired before a quorum could sign it. Nothing was"
            + " paid. ";
  }
}
