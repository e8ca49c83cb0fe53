package io.solidus.wallet.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code completion}. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = {
      "Writes a script that completes commands and options in bash and zsh, for the name"
          + " solidus-wallet:",
      "  alias solidus-wallet='/path/to/solidus wallet'",
      "  source <(solidus-wallet completion)"
    })
final class CompletionCommand implements Callable<Integer> {
  private static final String NAME = "solidus-wallet";

  private final WalletCommand top;
  @Spec private CommandSpec spec = CommandSpec.create();

  CompletionCommand(WalletCommand top) {
    this.top = top;
  }

  @Override
  public Integer call() {
    top.terminal().out().println(AutoComplete.bash(NAME, spec.root().commandLine()));
    return 0;
  }
}
