package io.solidus.wallet.cli;

import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.session.WalletOptions;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.UnaryOperator;
import picocli.AutoComplete;
import picocli.CommandLine;

/** The command line with a given terminal and environment, those of the process or of a test. */
public final class WalletCli {
  private final Terminal terminal;
  private final Map<String, String> environment;
  private final UnaryOperator<WalletOptions> tuning;

  public WalletCli(
      Terminal terminal, Map<String, String> environment, UnaryOperator<WalletOptions> tuning) {
    this.terminal = terminal;
    this.environment = Map.copyOf(environment);
    this.tuning = tuning;
  }

  static WalletCli standard() {
    return new WalletCli(
        Terminal.ofProcess(
            new PrintWriter(System.out, true, StandardCharsets.UTF_8),
            new PrintWriter(System.err, true, StandardCharsets.UTF_8)),
        System.getenv(),
        options -> options);
  }

  /** Runs a command and returns the exit status. */
  public int run(String... args) {
    WalletCommand top = new WalletCommand(terminal, environment, tuning);
    CommandLine line = new CommandLine(top);
    line.addSubcommand(new CreateCommand(top))
        .addSubcommand(new RestoreCommand(top))
        .addSubcommand(new RegisterCommand(top))
        .addSubcommand(new AddressCommand(top))
        .addSubcommand(new BalanceCommand(top))
        .addSubcommand(new MintCommand(top))
        .addSubcommand(new PayCommand(top))
        .addSubcommand(new ClaimCommand(top))
        .addSubcommand(new ReceiveCommand(top))
        .addSubcommand(new WithdrawCommand(top))
        .addSubcommand(new HistoryCommand(top))
        .addSubcommand(new StatusCommand(top))
        .addSubcommand(new SettleCommand(top))
        .addSubcommand(new RecoverCommand(top))
        .addSubcommand(new ReceiptCommand(top))
        .addSubcommand(new VerifyReceiptCommand(top))
        .addSubcommand(completion());
    line.setOut(terminal.out());
    line.setErr(terminal.err());
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setExecutionExceptionHandler(
        (e, failed, result) -> Failure.of(e).report(terminal, top.output()));
    line.setParameterExceptionHandler((e, ignored) -> {
      terminal.err().println("solidus wallet: " + e.getMessage());
      terminal.err().println("Try 'solidus wallet " + subcommand(e.getCommandLine()) + "--help'.");
      return WalletError.Exit.USAGE;
    });
    return line.execute(args);
  }

  /** Picocli's completion script, without a line in the help. */
  private static CommandLine completion() {
    CommandLine completion = new CommandLine(new AutoComplete.GenerateCompletion());
    completion.getCommandSpec().usageMessage().hidden(true);
    return completion;
  }

  private static String subcommand(CommandLine line) {
    return line.getParent() == null ? "" : line.getCommandName() + " ";
  }
}
