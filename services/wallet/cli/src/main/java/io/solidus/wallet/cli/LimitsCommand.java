package io.solidus.wallet.cli;

import io.solidus.protocol.ProtocolException;
import io.solidus.wallet.Limits;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;

/** The command {@code limits}. */
@Command(name = "limits", description = "Shows the limits in force and what is left of them.")
final class LimitsCommand extends OpenWalletCommand {
  LimitsCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    Limits limits = wallet.limits();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("currency", wallet.profile().currency().value());
    json.put("period", limits.period().yyyymm());
    json.put("largestPaymentMinor", limits.largestPayment().minor());
    json.put("perTransferMinor", limits.perTransfer().minor());
    json.put("perPeriodMinor", limits.perPeriod().minor());
    json.put("sentMinor", limits.sent().minor());
    json.put("leftMinor", limits.left().minor());
    json.put("transfersPerPeriod", limits.transfersPerPeriod());
    json.put("transfers", limits.transfers());
    json.put("transfersLeft", limits.transfersLeft());
    json.put("maxHeldMinor", limits.maxHeld().minor());
    json.put("heldMinor", limits.held().minor());
    json.put("roomToHoldMinor", limits.roomToHold().minor());
    return Result.done(json, text(wallet, limits));
  }

  /** Shows the limits before a payment; what prevents it, the payment itself reports. */
  static void show(Wallet wallet, PrintWriter out) {
    try {
      out.println(text(wallet, wallet.limits()));
    } catch (ProtocolException | WalletException e) {
      out.println("Limits:  not known (" + Failure.of(e).code() + ")");
    }
  }

  private static String text(Wallet wallet, Limits limits) {
    return "Limits:  "
        + money(wallet, limits.perTransfer())
        + " a payment\n         "
        + money(wallet, limits.left())
        + " of "
        + money(wallet, limits.perPeriod())
        + " left in "
        + limits.period().yyyymm()
        + "\n         "
        + limits.transfersLeft()
        + " of "
        + limits.transfersPerPeriod()
        + " transfers left\n         "
        + money(wallet, limits.roomToHold())
        + " more may be held, of "
        + money(wallet, limits.maxHeld());
  }
}
