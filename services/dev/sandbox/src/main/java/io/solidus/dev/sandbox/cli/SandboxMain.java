package io.solidus.dev.sandbox.cli;

import io.solidus.platform.production.Production;
import io.solidus.platform.production.ProductionCode;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry point of the sandbox; the launcher calls it. */
@Command(
    name = "solidus",
    mixinStandardHelpOptions = true,
    scope = CommandLine.ScopeType.INHERIT,
    subcommands = {
      UpCommand.class,
      DemoCommand.class,
      TokenCommand.class,
      OperatorCommand.class,
      MeasureWalletCommand.class
    },
    description = "The platform on one machine.")
public final class SandboxMain {
  private static final int USAGE = 64;
  private static final int FAILED = 70;

  private SandboxMain() {}

  public static void main(String[] args) {
    System.exit(run(new StandardEnvironment(), args));
  }

  /**
   * Runs a command and returns the exit status. Under the production profile every command is
   * refused, because the sandbox makes development keys and signs its operators' tokens itself.
   */
  public static int run(Environment environment, String... args) {
    if (Production.isOn(environment)) {
      System.err.println(
          "solidus: "
              + ProductionCode.DEVELOPMENT_COMMAND
              + ": the sandbox makes development keys and tokens");
      return FAILED;
    }
    return commandLine().execute(args);
  }

  static CommandLine commandLine() {
    CommandLine line = new CommandLine(new SandboxMain());
    line.setExecutionExceptionHandler((failure, command, parsed) -> {
      String message =
          failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
      command.getErr().println("solidus: " + message);
      if (System.getenv("SOLIDUS_TRACE") != null) {
        failure.printStackTrace(command.getErr());
      }
      return FAILED;
    });
    line.setParameterExceptionHandler((problem, arguments) -> {
      problem.getCommandLine().getErr().println("solidus: " + problem.getMessage());
      return USAGE;
    });
    return line;
  }
}
