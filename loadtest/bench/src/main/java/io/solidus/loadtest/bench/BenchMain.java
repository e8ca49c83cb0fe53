package io.solidus.loadtest.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The benchmarks of validators and committees. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    subcommands = {ValidatorCommand.class, CommitteeCommand.class, RestartCommand.class},
    description = "Benchmarks of validators and committees.")
public final class BenchMain {

  private BenchMain() {}

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    return new CommandLine(new BenchMain());
  }
}
