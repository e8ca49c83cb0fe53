package io.solidus.wallet.cli;

import io.solidus.wallet.model.PayoutInstruction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The bank account that withdrawn money goes to. */
final class PayoutOptions {
  @Option(
      names = "--iban",
      paramLabel = "IBAN",
      description = "the account that withdrawn money goes to")
  private @Nullable String iban;

  @Option(names = "--account-holder", paramLabel = "NAME", description = "the account's holder")
  private @Nullable String holder;

  @Option(
      names = "--bank-reference",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "for the bank statement")
  private String reference = "";

  @Nullable PayoutInstruction instruction() {
    return iban == null || holder == null ? null : new PayoutInstruction(holder, iban, reference);
  }
}
