package io.solidus.wallet.cli;

import io.solidus.protocol.NetworkKind;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.WalletStatus;
import io.solidus.wallet.model.ServicePins;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;

/** The command {@code status}. */
@Command(
    name = "status",
    description = "Shows the wallet's registration, pending work, and use of the limits.")
final class StatusCommand extends OpenWalletCommand {
  StatusCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    WalletStatus status = wallet.status();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("network", wallet.profile().network().value());
    json.put("kind", EnumText.of(wallet.profile().kind()));
    json.put("gateway", wallet.profile().gateway().toString());
    json.put("services", services(wallet.profile().services()));
    json.put("registration", EnumText.of(status.registration()));
    json.put("restoring", status.restoring());
    json.putAll(BalanceCommand.json(wallet));
    json.put("period", status.period().yyyymm());
    json.put("sentMinor", status.sent().minor());
    json.put("transfersInPeriod", status.count());
    json.put("transferInFlight", status.transferInFlight());
    json.put("pendingMints", status.pendingMints());
    json.put("pendingDeliveries", status.pendingDeliveries());
    json.put("pendingRedemptions", status.pendingRedemptions());
    json.put("policyVersion", status.policyVersion());
    json.put("checkpointVersion", status.checkpointVersion());
    json.put("tokens", status.tokens());
    return Result.done(json, text(wallet, status));
  }

  private static Map<String, Object> services(ServicePins pins) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("registration", pins.registration().toString());
    json.put("sanctions", pins.sanctions().toString());
    json.put("issuance", pins.issuance().toString());
    json.put("redemptionKey", HexFormat.of().formatHex(pins.redemptionKey().bytes()));
    return json;
  }

  private static String text(Wallet wallet, WalletStatus status) {
    boolean regulated = wallet.profile().kind() == NetworkKind.REGULATED;
    return "Network:      "
        + wallet.profile().network()
        + " by "
        + wallet.profile().gateway()
        + (regulated ? "\nRegistration: " + EnumText.of(status.registration()) : ", unregulated")
        + (status.restoring() ? "\nRestore:      not finished, the balance is not complete" : "")
        + "\n"
        + BalanceCommand.text(wallet)
        + (regulated ? period(wallet, status) : "")
        + "\nPending:      "
        + (status.transferInFlight() ? "a transfer, " : "")
        + status.pendingMints()
        + " mints, "
        + status.pendingDeliveries()
        + " deliveries, "
        + status.pendingRedemptions()
        + " payouts";
  }

  private static String period(Wallet wallet, WalletStatus status) {
    return "\nPeriod:       "
        + status.period().yyyymm()
        + ", "
        + status.count()
        + " transfers, "
        + money(wallet, status.sent())
        + " paid";
  }
}
