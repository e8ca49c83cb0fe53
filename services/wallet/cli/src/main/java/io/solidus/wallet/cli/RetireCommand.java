package io.solidus.wallet.cli;

import io.solidus.protocol.Address;
import io.solidus.protocol.RejectionCode;
import io.solidus.wallet.Retirement;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code retire}. */
@Command(
    name = "retire",
    description = {
      "Pays everything to a wallet of another phrase, because somebody else may have this wallet's"
          + " phrase or a copy of its file.",
      "Make that wallet first, with 'create'. Repeat the command after a failure, and for payments"
          + " that still come.",
      "Limits can leave a rest: 'withdraw' pays it out, or the next month moves it."
    })
final class RetireCommand extends OpenWalletCommand {
  @Parameters(
      index = "0",
      paramLabel = "ADDRESS",
      description = "of the new wallet (sld1...), as its 'address' command shows it")
  private String address = "";

  RetireCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    Address next = wallet.parseAddress(address);
    Retirement retired = wallet.retire(next);
    RejectionCode refusal = retired.refusal();
    boolean delivered = retired.payments().isEmpty() || retired.payments().getLast().delivered();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("movedMinor", retired.moved().minor());
    json.put("leftMinor", retired.left().minor());
    json.put("refusal", refusal == null ? null : refusal.code());
    json.put("openMints", retired.openMints());
    json.put("payments", retired.payments().size());
    json.put("delivered", delivered);
    int exit = WalletError.Exit.OK;
    if (refusal != null) {
      exit = WalletError.Exit.REFUSED;
    } else if (!retired.complete()) {
      exit = WalletError.Exit.NOT_YET;
    }
    return new Result(json, text(wallet, retired, delivered), exit);
  }

  private static String text(Wallet wallet, Retirement retired, boolean delivered) {
    StringBuilder text = new StringBuilder("Moved:     ").append(money(wallet, retired.moved()));
    if (!retired.left().isZero()) {
      text.append("\nLeft:      ").append(money(wallet, retired.left()));
    }
    RejectionCode refusal = retired.refusal();
    if (refusal != null) {
      text.append(" (").append(refusal.code()).append(")");
    }
    if (retired.openMints() > 0) {
      text.append("\nMints that are not decided: ")
          .append(retired.openMints())
          .append("; repeat the command when they are");
    }
    if (!delivered) {
      text.append(
          "\nA delivery is pending; the next command or 'solidus wallet settle' repeats it.");
    }
    return text.toString();
  }
}
