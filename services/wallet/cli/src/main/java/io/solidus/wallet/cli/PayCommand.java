package io.solidus.wallet.cli;

import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.wallet.Payment;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.model.PayoutInstruction;
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
      "Pays an address. Received coins are claimed in the same transfer, and before it when the"
          + " amount needs more of them.",
      "With --iban and --account-holder, the surplus above the holding limit is withdrawn in the"
          + " same transfer."
    })
final class PayCommand extends OpenWalletCommand {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "ADDRESS", description = "sld1...")
  private String address = "";

  @Parameters(index = "1", paramLabel = "AMOUNT", description = "for example 12.50")
  private String amount = "";

  @Option(
      names = "--reference",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "for the payee, at most 140 bytes")
  private String reference = "";

  @Option(
      names = "--payment-id",
      paramLabel = "ID",
      description =
          "your name of this payment: however often the command is repeated, it pays once")
  private @Nullable String paymentId;

  @Mixin private PayoutOptions payout = new PayoutOptions();

  PayCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    Address to = wallet.parseAddress(address);
    Amount value = amount(wallet, amount);
    PayoutInstruction surplus = payout.instruction();
    if (surplus != null && paymentId != null) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--payment-id is for payments without a withdrawal");
    }
    Payment payment =
        surplus != null
            ? wallet.payWithSurplus(to, value, reference, surplus)
            : paymentId != null
                ? wallet.pay(paymentId, to, value, reference)
                : wallet.pay(to, value, reference);
    return Result.done(PaymentOutput.json(payment), PaymentOutput.text(wallet, payment));
  }
}
