package io.solidus.wallet.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Which of several payees of a transfer is meant. */
final class PayeeOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--payee",
      paramLabel = "NUMBER",
      description =
          "of several payees that one transfer paid, this one, from 1; as shown by pay-many and"
              + " history --output json")
  private @Nullable Integer number;

  boolean isGiven() {
    return number != null;
  }

  /** The place of the payee in the transfer, from 0. */
  int place() {
    if (number == null) {
      throw new IllegalStateException("no payee is given");
    }
    if (number < 1) {
      throw new CommandLine.ParameterException(spec.commandLine(), "payees are numbered from 1");
    }
    return number - 1;
  }
}
