package io.solidus.wallet.cli;

import io.solidus.wallet.Wallet;
import io.solidus.wallet.model.ReceivedCoin;
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
    List<ReceivedCoin> receivedCoins = wallet.receive();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("received", receivedCoins.stream().map(ReceiveCommand::json).toList());
    json.putAll(BalanceCommand.json(wallet));
    String lines =
        receivedCoins.stream()
            .map(r ->
                "Received "
                    + money(wallet, r.value())
                    + (r.reference().isEmpty() ? "" : " (" + r.reference() + ")")
                    + "\n")
            .collect(Collectors.joining());
    return Result.done(
        json, (lines.isEmpty() ? "Nothing new.\n" : lines) + BalanceCommand.text(wallet));
  }

  private static Map<String, Object> json(ReceivedCoin received) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("origin", EnumText.of(received.origin()));
    json.put("valueMinor", received.value().minor());
    json.put("atMillis", received.atMillis());
    json.put("reference", received.reference());
    return json;
  }
}
