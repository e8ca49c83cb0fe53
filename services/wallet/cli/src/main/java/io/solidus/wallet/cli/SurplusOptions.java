package io.solidus.wallet.cli;

import io.solidus.wallet.model.PayoutInstruction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whether a surplus is withdrawn, and to which account. */
final class SurplusOptions {
  @Option(
      names = "--surplus",
      description = "withdraw the surplus above the holding limit; asks for the bank account")
  private boolean surplus;

  @Mixin private PayoutOptions account = new PayoutOptions();

  /** The instruction; null when no surplus is to be withdrawn. */
  @Nullable PayoutInstruction instruction(Answers answers) {
    return surplus || account.isGiven() ? account.instruction(answers) : null;
  }
}
