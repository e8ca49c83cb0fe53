package io.solidus.wallet.cli;

import io.solidus.wallet.Wallet;
import io.solidus.wallet.model.Receipt;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** The command {@code receive}. */
@Command(name = "receive", description = "Reads the mailbox and accepts the coins for this wallet.")
final class ReceiveCommand extends OpenWalletCommand {
  ReceiveCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    List<Receipt> receipts = wallet.receive();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("received", receipts.stream().map(ReceiveCommand::json).toList());
    json.putAll(BalanceCommand.json(wallet));
    String lines =
        receipts.stream()
            .map(r ->
                "Received "
                    + money(wallet, r.value())
                    + (r.reference().isEmpty() ? "" : " (" + r.reference() + ")")
                    + "\n")
            .collect(Collectors.joining());
    return Result.done(
        json, (lines.isEmpty() ? "Nothing new.\n" : lines) + BalanceCommand.text(wallet));
  }

  private static Map<String, Object> json(Receipt receipt) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("origin", EnumText.of(receipt.origin()));
    json.put("valueMinor", receipt.value().minor());
    json.put("atMillis", receipt.atMillis());
    json.put("reference", receipt.reference());
    return json;
  }
}
