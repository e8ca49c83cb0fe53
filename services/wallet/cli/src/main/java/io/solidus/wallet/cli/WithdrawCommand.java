package io.solidus.wallet.cli;

import io.solidus.wallet.Payment;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.model.PayoutInstruction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code withdraw}. */
@Command(
    name = "withdraw",
    description = {
      "Withdraws money to a bank account. Only the issuer can read the account.",
      "Asks for the account. It may come from a file of options instead: @FILE."
    })
final class WithdrawCommand extends OpenWalletCommand {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "AMOUNT", description = "for example 50.00")
  private String amount = "";

  @Mixin private PayoutOptions payout = new PayoutOptions();

  WithdrawCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    PayoutInstruction account = payout.instruction(new Answers(top.terminal(), spec));
    Payment payment = wallet.withdraw(amount(wallet, amount), account);
    return Result.done(PaymentOutput.json(payment), PaymentOutput.text(wallet, payment));
  }
}
