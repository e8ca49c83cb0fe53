package io.solidus.wallet.cli;

import io.solidus.protocol.NetworkKind;
import io.solidus.wallet.Payment;
import io.solidus.wallet.ReadRequest;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.model.Contact;
import io.solidus.wallet.model.PayoutInstruction;
import io.solidus.wallet.request.PaymentRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code pay}. */
@Command(
    name = "pay",
    description = {
      "Pays an address, a contact or a payment request. Received coins are claimed in the same"
          + " transfer, and before it when the amount needs more of them.",
      "First shows the payee and what is left of the limits. A request with an id is paid once,"
          + " however often the command is repeated.",
      "With --surplus, the surplus above the holding limit is withdrawn in the same transfer."
    })
final class PayCommand extends OpenWalletCommand {
  private static final String FROM_CONTACTS = "-";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      index = "0",
      paramLabel = "PAYEE",
      description = "an address (sld1...), a request (sld:...), or - to be asked for a contact")
  private String payee = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "AMOUNT",
      description = "for example 12.50; a request may name it")
  private @Nullable String amount;

  @Option(
      names = "--reference",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "for the payee of an address, at most 140 bytes")
  private String reference = "";

  @Option(
      names = "--payment-id",
      paramLabel = "ID",
      description =
          "your name of this payment: however often the command is repeated, it pays once")
  private @Nullable String paymentId;

  @Option(
      names = "--no-tag",
      description =
          "leave out the request's one-time tag: the payee waits longer, and the gateway does not"
              + " learn which message pays him")
  private boolean noTag;

  @Mixin private SurplusOptions surplusOptions = new SurplusOptions();

  PayCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    ReadRequest read = read(wallet);
    PaymentRequest request =
        withAmount(wallet, noTag ? read.request().withoutTag() : read.request());
    boolean address = request.equals(PaymentRequest.of(request.payee()).withPrice(price(request)));
    if (!address && !reference.isEmpty()) {
      throw wrong("--reference is for an address: a request has its own text");
    }
    PayoutInstruction surplus = surplusOptions.instruction(new Answers(top.terminal(), spec));
    if (surplus != null && (paymentId != null || !address)) {
      throw wrong("--surplus is for a payment to an address without --payment-id");
    }
    if (top.output() == OutputFormat.TEXT) {
      top.terminal().err().println(RequestOutput.text(wallet, read, request));
      if (wallet.profile().kind() == NetworkKind.REGULATED) {
        LimitsCommand.show(wallet, top.terminal().err());
      }
    }
    Payment payment = pay(wallet, request, address, surplus);
    Map<String, Object> json = new LinkedHashMap<>(PaymentOutput.json(payment));
    json.putAll(RequestOutput.payee(read));
    return Result.done(json, PaymentOutput.text(wallet, payment));
  }

  private Payment pay(
      Wallet wallet, PaymentRequest request, boolean address, @Nullable PayoutInstruction surplus) {
    if (surplus != null) {
      return wallet.payWithSurplus(request.payee(), price(request).amount(), reference, surplus);
    }
    if (address) {
      return paymentId == null
          ? wallet.pay(request.payee(), price(request).amount(), reference)
          : wallet.pay(paymentId, request.payee(), price(request).amount(), reference);
    }
    return paymentId == null ? wallet.pay(request) : wallet.pay(paymentId, request);
  }

  private ReadRequest read(Wallet wallet) {
    if (!payee.equals(FROM_CONTACTS)) {
      return wallet.readRequest(payee);
    }
    Contact contact = wallet.contact(new Answers(top.terminal(), spec).ask("Name of the contact"));
    return new ReadRequest(PaymentRequest.of(contact.address()), null, null, contact.name(), false);
  }

  private PaymentRequest withAmount(Wallet wallet, PaymentRequest request) {
    PaymentRequest.Price named = request.price();
    if (amount == null) {
      if (named == null) {
        throw wrong("the amount is missing: the payee does not name one");
      }
      return request;
    }
    PaymentRequest.Price chosen =
        new PaymentRequest.Price(amount(wallet, amount), wallet.profile().currency());
    if (named != null && !named.equals(chosen)) {
      throw wrong("the request names another amount; leave yours out");
    }
    return named == null ? request.withPrice(chosen) : request;
  }

  private static PaymentRequest.Price price(PaymentRequest request) {
    PaymentRequest.Price price = request.price();
    if (price == null) {
      throw new IllegalStateException("the amount was checked before");
    }
    return price;
  }

  private CommandLine.ParameterException wrong(String detail) {
    return new CommandLine.ParameterException(spec.commandLine(), detail);
  }
}
