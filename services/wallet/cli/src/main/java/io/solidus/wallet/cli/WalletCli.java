package io.solidus.wallet.cli;

import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.session.WalletOptions;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import picocli.CommandLine;

/** The command line with a given terminal and environment, those of the process or of a test. */
public final class WalletCli {
  /** Options about a person or an account, which are read from files only. */
  private static final Set<String> PERSONAL =
      Set.of(
          "--given-name",
          "--family-name",
          "--birth-date",
          "--nationality",
          "--document-number",
          "--iban",
          "--account-holder",
          "--bank-reference");

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
    Optional<String> personal = Arrays.stream(args).filter(WalletCli::isPersonal).findFirst();
    if (personal.isPresent()) {
      terminal
          .err()
          .println(
              "solidus wallet: other programs of this machine can read arguments: answer the prompt"
                  + " instead of "
                  + name(personal.get())
                  + ", or write the options into a file and give @FILE");
      return WalletError.Exit.USAGE;
    }
    WalletCommand top = new WalletCommand(terminal, environment, tuning);
    CommandLine line = new CommandLine(top);
    line.addSubcommand(new CreateCommand(top))
        .addSubcommand(new RestoreCommand(top))
        .addSubcommand(new RegisterCommand(top))
        .addSubcommand(new AddressCommand(top))
        .addSubcommand(new BalanceCommand(top))
        .addSubcommand(new MintCommand(top))
        .addSubcommand(new PayCommand(top))
        .addSubcommand(new PayManyCommand(top))
        .addSubcommand(new RequestCommand(top))
        .addSubcommand(new LimitsCommand(top))
        .addSubcommand(new ClaimCommand(top))
        .addSubcommand(new ReceiveCommand(top))
        .addSubcommand(new WithdrawCommand(top))
        .addSubcommand(new HistoryCommand(top))
        .addSubcommand(new StatusCommand(top))
        .addSubcommand(new SettleCommand(top))
        .addSubcommand(new RecoverCommand(top))
        .addSubcommand(new ReceiptCommand(top))
        .addSubcommand(new VerifyReceiptCommand(top))
        .addSubcommand(new ResendCommand(top))
        .addSubcommand(ContactsCommand.withSubcommands(top))
        .addSubcommand(new VerifyPhraseCommand(top))
        .addSubcommand(new ChangePassphraseCommand(top))
        .addSubcommand(new RetireCommand(top))
        .addSubcommand(new MakeTillCommand(top))
        .addSubcommand(new TillCommand(top))
        .addSubcommand(new FetchKeysCommand(top))
        .addSubcommand(new CompletionCommand(top));
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

  /** Whether the argument is an option whose value other programs must not read. */
  private static boolean isPersonal(String argument) {
    return PERSONAL.contains(name(argument));
  }

  private static String name(String argument) {
    int end = argument.indexOf('=');
    return end < 0 ? argument : argument.substring(0, end);
  }

  private static String subcommand(CommandLine line) {
    return line.getParent() == null ? "" : line.getCommandName() + " ";
  }
}
