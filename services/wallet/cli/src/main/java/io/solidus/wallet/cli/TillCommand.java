package io.solidus.wallet.cli;

import io.solidus.protocol.Amount;
import io.solidus.protocol.CurrencyCode;
import io.solidus.wallet.Till;
import io.solidus.wallet.model.Money;
import io.solidus.wallet.model.TillPayment;
import io.solidus.wallet.request.PaymentRequest;
import io.solidus.wallet.request.RequestToken;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code till}. It needs a till's file and no wallet. */
@Command(
    name = "till",
    mixinStandardHelpOptions = true,
    description = {
      "Shows the payments to the till's wallet that are new, verified, each once.",
      "With an amount it first shows a payment request with its QR code, and says which payment is"
          + " that of the request. With --seconds the request has a one-time tag, by which the"
          + " payment shows within a second; the gateway learns by it which message is the till's."
    })
final class TillCommand implements Callable<Integer> {
  static final String QUESTION = "Passphrase of the till";
  private static final int MAX_SECONDS = 24 * 60 * 60;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());

  private final WalletCommand top;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "FILE", description = "the till's file")
  private Path file = Path.of("");

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "AMOUNT",
      description = "asks for this amount and waits for its payment")
  private @Nullable String amount;

  @Option(
      names = "--label",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "what the payment is for, at most 100 bytes")
  private String label = "";

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "how long to wait for payments; with an amount, until it is paid (default: reads the"
              + " mailbox once)")
  private int seconds;

  @Option(names = "--all", description = "shows every payment that the till has seen")
  private boolean all;

  @Option(
      names = "--keys-dir",
      paramLabel = "DIR",
      description = "the network's keys on this device (default: the folder of the wallet)")
  private @Nullable Path keysDir;

  @Option(
      names = "--till-passphrase-file",
      paramLabel = "FILE",
      description = "file whose first line is the till's passphrase (default: a prompt)")
  private @Nullable Path passphraseFile;

  TillCommand(WalletCommand top) {
    this.top = top;
  }

  @Override
  public Integer call() {
    if (seconds < 0 || seconds > MAX_SECONDS) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--seconds is a number from 0 to " + MAX_SECONDS);
    }
    char[] passphrase = SecretInput.another(QUESTION, passphraseFile, top.terminal(), false);
    try (Till till = Till.open(file, passphrase, keysDir, top.options())) {
      return run(till);
    } finally {
      Arrays.fill(passphrase, '\0');
      top.clearProgress();
    }
  }

  private int run(Till till) {
    CurrencyCode currency = till.profile().currency();
    RequestToken id = null;
    RequestToken tag = RequestToken.random(new SecureRandom());
    Map<String, Object> json = new LinkedHashMap<>();
    Amount asked = amount == null ? Amount.ZERO : Money.parse(amount, currency);
    if (amount != null) {
      id = RequestToken.random(new SecureRandom());
      String uri = request(till, id, tag, asked);
      json.put("uri", uri);
      json.put("requestId", id.hex());
      if (top.output() == OutputFormat.TEXT) {
        top.terminal().out().println(uri + "\n\n" + QrText.draw(uri));
        top.terminal().out().flush();
      }
    }
    List<TillPayment> seen = receive(till, id, tag, asked);
    List<TillPayment> shown = all ? till.payments() : seen;
    json.put("currency", currency.value());
    json.put("payments", shown.stream().map(TillCommand::json).toList());
    String text =
        shown.stream().map(payment -> line(payment, currency)).collect(Collectors.joining("\n"));
    text = text.isEmpty() ? "No new payment." : text;
    if (id != null) {
      Amount paid = paid(id, seen);
      json.put("paidMinor", paid.minor());
      text += "\n" + "Paid for this request: " + Money.format(paid, currency);
    }
    return OpenWalletCommand.write(top, OpenWalletCommand.Result.done(json, text));
  }

  private String request(Till till, RequestToken id, RequestToken tag, Amount asked) {
    return till.writeRequest(
        new PaymentRequest(
            till.address(),
            new PaymentRequest.Price(asked, till.profile().currency()),
            null,
            id,
            seconds == 0 ? null : tag, // nobody waits for it then
            label,
            null));
  }

  /**
   * Reads the mailbox until the time is over, or the request is paid; by its tag, if it has one.
   */
  private List<TillPayment> receive(
      Till till, @Nullable RequestToken id, RequestToken tag, Amount asked) {
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    List<TillPayment> seen = new ArrayList<>(till.receive());
    while (System.nanoTime() < end && (id == null || paid(id, seen).minor() < asked.minor())) {
      if (id != null) {
        seen.addAll(till.receive(tag, Duration.ofNanos(Math.max(0, end - System.nanoTime()))));
        continue;
      }
      try {
        Thread.sleep(top.options().pollInterval().toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return seen;
      }
      seen.addAll(till.receive());
    }
    return seen;
  }

  private static Amount paid(RequestToken id, List<TillPayment> payments) {
    return new Amount(
        payments.stream()
            .filter(payment -> PaymentRequest.isFor(id, payment.reference()))
            .mapToLong(payment -> payment.value().minor())
            .sum());
  }

  private static Map<String, Object> json(TillPayment payment) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("valueMinor", payment.value().minor());
    json.put("seenMillis", payment.seenMillis());
    json.put("reference", payment.reference());
    return json;
  }

  private static String line(TillPayment payment, CurrencyCode currency) {
    return String.format(
            "%s  %14s  %s",
            TIME.format(Instant.ofEpochMilli(payment.seenMillis())),
            Money.format(payment.value(), currency),
            payment.reference())
        .stripTrailing();
  }
}
