package io.solidus.loadtest.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The benchmarks of validators, committees and gateways. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    subcommands = {
      ValidatorCommand.class,
      CommitteeCommand.class,
      RestartCommand.class,
      AbuseCommand.class
    },
    description = "Benchmarks of validators, committees and gateways.")
public final class BenchMain {

  private BenchMain() {}

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    return new CommandLine(new BenchMain());
  }
}
