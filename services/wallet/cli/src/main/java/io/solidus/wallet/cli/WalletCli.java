package io.solidus.wallet.cli;

import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.session.WalletOptions;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.UnaryOperator;
import picocli.AutoComplete;
import picocli.CommandLine;

/** The command line, over any environment: the process's own, or a test's. */
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

  /** The exit status. */
  public int run(String... args) {
    WalletCommand top = new WalletCommand();
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
        .addSubcommand(new EvidenceCommand(top))
        .addSubcommand(new AutoComplete.GenerateCompletion());
    line.getSubcommands().get("generate-completion").getCommandSpec().usageMessage().hidden(true);
    top.attach(terminal, environment, tuning);
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

  private static String subcommand(CommandLine line) {
    return line.getParent() == null ? "" : line.getCommandName() + " ";
  }
}
