package io.solidus.sandbox;

import io.solidus.sandbox.cli.DemoCommand;
import io.solidus.sandbox.cli.OperatorCommand;
import io.solidus.sandbox.cli.TokenCommand;
import io.solidus.sandbox.cli.UpCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry point of the sandbox; the launcher calls it. */
@Command(
    name = "solidus",
    subcommands = {UpCommand.class, DemoCommand.class, TokenCommand.class, OperatorCommand.class},
    description = "The platform on one machine.")
public final class SandboxMain {
  private static final int USAGE = 64;
  private static final int FAILED = 70;

  private SandboxMain() {}

  public static void main(String[] args) {
    CommandLine line = new CommandLine(new SandboxMain());
    line.setExecutionExceptionHandler(
        (failure, command, parsed) -> {
          String message = failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
          command.getErr().println("solidus: " + message);
          if (System.getenv("SOLIDUS_TRACE") != null) {
            failure.printStackTrace(command.getErr());
          }
          return FAILED;
        });
    line.setParameterExceptionHandler(
        (problem, arguments) -> {
          problem.getCommandLine().getErr().println("solidus: " + problem.getMessage());
          return USAGE;
        });
    System.exit(line.execute(args));
  }
}
