package io.solidus.wallet.cli;

import io.solidus.wallet.model.PayoutInstruction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the bank account of a withdrawal. */
final class PayoutOptions {
  @Option(names = "--iban", paramLabel = "IBAN", description = "the account for withdrawn money")
  private @Nullable String iban;

  @Option(names = "--account-holder", paramLabel = "NAME", description = "the account's holder")
  private @Nullable String holder;

  @Option(
      names = "--bank-reference",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "for the bank statement")
  private String reference = "";

  /** The instruction; null unless both account options are present. */
  @Nullable PayoutInstruction instruction() {
    return iban == null || holder == null ? null : new PayoutInstruction(holder, iban, reference);
  }
}
