package io.solidus.wallet.cli;

import io.solidus.protocol.Address;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.request.PaymentRequest;
import io.solidus.wallet.request.RequestToken;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code request}. */
@Command(
    name = "request",
    description = {
      "Asks for a payment to this wallet: shows a link (sld:...) and its QR code for the payer.",
      "The text of the payment begins with the id of the request: look for it in 'receive' and"
          + " 'history'."
    })
final class RequestCommand extends OpenWalletCommand {
  private static final int MAX_MINUTES = 10 * 366 * 24 * 60;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "AMOUNT",
      description = "for example 12.50; without it the payer chooses")
  private @Nullable String amount;

  @Option(
      names = "--label",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "what the payment is for, at most 100 bytes")
  private String label = "";

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description = "how long the request may be paid (default: no end)")
  private @Nullable Integer minutes;

  @Option(names = "--often", description = "may be paid often: the request has no id")
  private boolean often;

  @Option(
      names = "--tag",
      description =
          "give the request a one-time tag, for which 'receive --tag' waits; the gateway learns by"
              + " it which message is yours")
  private boolean tagged;

  @Option(
      names = "--refund-to",
      paramLabel = "ADDRESS",
      description = "the payer's address, to which you will send a refund")
  private @Nullable String refundTo;

  @Option(
      names = "--sign",
      description =
          "sign the request, so that payers who have your key among their contacts see your name")
  private boolean sign;

  RequestCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    RequestToken id = often ? null : wallet.newRequestToken();
    RequestToken tag = tagged ? wallet.newRequestToken() : null;
    Address refund = refundTo == null ? null : wallet.readRequest(refundTo).request().payee();
    PaymentRequest request =
        new PaymentRequest(
            wallet.address(),
            amount == null
                ? null
                : new PaymentRequest.Price(amount(wallet, amount), wallet.profile().currency()),
            expiry(),
            id,
            tag,
            label,
            refund);
    String uri = wallet.writeRequest(request, sign);
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("uri", uri);
    if (id != null) {
      json.put("requestId", id.hex());
    }
    if (tag != null) {
      json.put("tag", tag.hex());
    }
    if (request.expiresAt() != null) {
      json.put("expiresAtMillis", request.expiresAt().toEpochMilli());
    }
    return Result.done(
        json,
        uri
            + "\n\n"
            + QrText.draw(uri)
            + (id == null ? "" : "\nId: " + id.hex())
            + (tag == null ? "" : "\nTag: " + tag.hex()));
  }

  private @Nullable Instant expiry() {
    if (minutes == null) {
      return null;
    }
    if (minutes < 1 || minutes > MAX_MINUTES) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--minutes is a number from 1 to " + MAX_MINUTES);
    }
    return Instant.now().truncatedTo(ChronoUnit.MILLIS).plus(minutes, ChronoUnit.MINUTES);
  }
}
