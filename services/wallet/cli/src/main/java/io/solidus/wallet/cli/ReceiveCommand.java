package io.solidus.wallet.cli;

import io.solidus.wallet.Wallet;
import io.solidus.wallet.model.ReceivedCoin;
import io.solidus.wallet.request.RequestToken;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code receive}. */
@Command(
    name = "receive",
    description = {
      "Reads the mailbox and accepts the coins for this wallet.",
      "With --parcel it accepts the coin that a payer hands over, and needs no network.",
      "With --tag it waits for the payment of a request that has this tag."
    })
final class ReceiveCommand extends OpenWalletCommand {
  private static final int MAX_SECONDS = 24 * 60 * 60;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--parcel",
      paramLabel = "TEXT",
      description = "what 'resend --by-hand' shows to the payer (sld:parcel:...)")
  private @Nullable String parcel;

  @Option(
      names = "--tag",
      paramLabel = "HEX",
      description = "the tag that 'request --tag' shows; waits until something came")
  private @Nullable String tag;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "how long --tag waits (default: ${DEFAULT-VALUE})")
  private int seconds;

  ReceiveCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    List<ReceivedCoin> receivedCoins = received(wallet);
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

  private List<ReceivedCoin> received(Wallet wallet) {
    if (parcel != null && tag != null) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--parcel and --tag are two ways; choose one");
    }
    if (seconds < 0 || seconds > MAX_SECONDS) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--seconds is a number from 0 to " + MAX_SECONDS);
    }
    if (parcel != null) {
      return wallet.acceptParcel(parcel).stream().toList();
    }
    return tag == null
        ? wallet.receive()
        : wallet.receive(new RequestToken(tag), Duration.ofSeconds(seconds));
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
