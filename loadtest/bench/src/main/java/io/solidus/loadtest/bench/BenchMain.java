package io.solidus.loadtest.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The benchmarks of validators, committees, gateways and the mailbox. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    subcommands = {
      ValidatorCommand.class,
      CommitteeCommand.class,
      RestartCommand.class,
      AbuseCommand.class,
      MailboxCommand.class
    },
    description = "Benchmarks of validators, committees, gateways and the mailbox.")
public final class BenchMain {

  private BenchMain() {}

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    return new CommandLine(new BenchMain());
  }
}
