package io.solidus.wallet.cli;

import io.solidus.wallet.Wallet;
import io.solidus.wallet.model.ReceivedCoin;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code receive}. */
@Command(
    name = "receive",
    description = {
      "Reads the mailbox and accepts the coins for this wallet.",
      "With --parcel it accepts the coin that a payer hands over, and needs no network."
    })
final class ReceiveCommand extends OpenWalletCommand {
  @Option(
      names = "--parcel",
      paramLabel = "TEXT",
      description = "what 'resend --by-hand' shows to the payer (sld:parcel:...)")
  private @Nullable String parcel;

  ReceiveCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    List<ReceivedCoin> receivedCoins =
        parcel == null ? wallet.receive() : wallet.acceptParcel(parcel).stream().toList();
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
