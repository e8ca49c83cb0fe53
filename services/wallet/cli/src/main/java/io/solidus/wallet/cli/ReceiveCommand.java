package io.solidus.wallet.cli;

import io.solidus.wallet.MailStatus;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.model.ReceivedCoin;
import io.solidus.wallet.request.RequestToken;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
      "In a network with replicas of the mailbox it tells what came at once, and fetches it with"
          + " private queries at times that do not depend on what came.",
      "With --parcel it accepts the coin that a payer hands over, and needs no network.",
      "With --tag it waits for the payment of a request that has this tag. Where the gateway does not"
          + " tell of it, the mailbox brings the payment: within ten seconds where it is read whole,"
          + " and with a later private query where the network has replicas."
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

  @Option(
      names = "--whole",
      description =
          "read all messages of this wallet's part of the mailbox at once, without private queries:"
              + " the gateway sees that this wallet does not wait")
  private boolean whole;

  ReceiveCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    List<ReceivedCoin> receivedCoins = received(wallet);
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("received", receivedCoins.stream().map(ReceiveCommand::json).toList());
    MailStatus mail = wallet.mail();
    if (mail.privately()) {
      json.put("mail", json(mail));
    }
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
        json,
        (lines.isEmpty() ? "Nothing new.\n" : lines) + text(mail) + BalanceCommand.text(wallet));
  }

  private static Map<String, Object> json(MailStatus mail) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("upToMillis", millis(mail.upTo()));
    json.put("waiting", mail.waiting());
    json.put("overdue", mail.overdue());
    json.put("nextQueryMillis", millis(mail.nextQuery()));
    return json;
  }

  private static @Nullable Long millis(@Nullable Instant time) {
    return time == null ? null : time.toEpochMilli();
  }

  private static String text(MailStatus mail) {
    if (mail.upTo() == null) {
      return "";
    }
    StringBuilder text = new StringBuilder("Read what came until " + mail.upTo() + ".\n");
    if (mail.waiting() > 0) {
      text.append(
          mail.waiting()
              + " messages wait that may be for this wallet; the next one is asked for at "
              + mail.nextQuery()
              + ", then one about every hour.\n");
    }
    if (mail.overdue() > 0) {
      text.append(
          mail.overdue()
              + " messages waited too long for a private query: receive --whole brings them, and"
              + " shows the gateway that something waited.\n");
    }
    return text.toString();
  }

  private List<ReceivedCoin> received(Wallet wallet) {
    if (Stream.of(parcel != null, tag != null, whole).filter(chosen -> chosen).count() > 1) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--parcel, --tag and --whole are three ways; choose one");
    }
    if (seconds < 0 || seconds > MAX_SECONDS) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--seconds is a number from 0 to " + MAX_SECONDS);
    }
    if (parcel != null) {
      return wallet.acceptParcel(parcel).stream().toList();
    }
    if (tag != null) {
      return wallet.receive(new RequestToken(tag), Duration.ofSeconds(seconds));
    }
    return whole ? wallet.receiveWhole() : wallet.receive();
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
