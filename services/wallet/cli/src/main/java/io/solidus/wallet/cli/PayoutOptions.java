package io.solidus.wallet.cli;

import io.solidus.wallet.model.PayoutInstruction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The bank account of a withdrawal, from a file of options or from answers. */
final class PayoutOptions {
  @Option(
      names = "--iban",
      paramLabel = "IBAN",
      description = "in a file of options: the account for withdrawn money")
  private @Nullable String iban;

  @Option(
      names = "--account-holder",
      paramLabel = "NAME",
      description = "in a file of options: the account's holder")
  private @Nullable String holder;

  @Option(
      names = "--bank-reference",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "in a file of options: for the bank statement")
  private String reference = "";

  boolean isGiven() {
    return iban != null || holder != null;
  }

  /** The instruction; asks for what the options do not give. */
  PayoutInstruction instruction(Answers answers) {
    String name = answers.orAsk(holder, "Account holder");
    return new PayoutInstruction(name, answers.orAsk(iban, "IBAN"), reference);
  }
}
