package io.solidus.loadtest.driver;

import io.solidus.protocol.ProtocolException;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry point of the load tests; the launcher calls it. */
@Command(
    name = "load",
    mixinStandardHelpOptions = true,
    scope = CommandLine.ScopeType.INHERIT,
    subcommands = {RunCommand.class, ForgeCommand.class, FeedCommand.class, KeysCommand.class},
    description = "Load tests of a whole platform.")
public final class LoadMain {
  private static final int USAGE = 64;
  private static final int FAILED = 70;

  private LoadMain() {}

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    CommandLine line = new CommandLine(new LoadMain());
    line.setExecutionExceptionHandler((failure, command, parsed) -> {
      command.getErr().println("solidus: " + message(failure));
      if (System.getenv("SOLIDUS_TRACE") != null) {
        failure.printStackTrace(command.getErr());
      }
      return failure instanceof IllegalArgumentException ? USAGE : FAILED;
    });
    return line;
  }

  private static String message(Exception failure) {
    return switch (failure) {
      case ProtocolException refusal -> refusal.detail();
      default ->
          Objects.requireNonNullElse(failure.getMessage(), failure.getClass().getSimpleName());
    };
  }
}
