package io.solidus.wallet.cli;

import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.WalletProfile;
import io.solidus.wallet.session.Progress;
import io.solidus.wallet.session.WalletOptions;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The options that all commands share. */
@Command(
    name = "solidus wallet",
    description = "A wallet for private, regulated payments.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:done",
      "10:a rule says no (the code says which)",
      "11:not yet: somebody has to decide first",
      "64:wrong usage",
      "65:a file, phrase or address is not valid",
      "66:there is no such wallet",
      "69:a service cannot be reached",
      "70:internal failure",
      "73:the wallet file cannot be written, or exists already",
      "75:try again: busy, or a transfer is in flight",
      "76:a service misbehaved and was not believed",
      "77:the passphrase is wrong",
      "78:wrong network or untrusted keys"
    },
    footerHeading = "%nSecrets:%n",
    footer = {
      "  The passphrase comes from --passphrase-file, from SOLIDUS_WALLET_PASSPHRASE or from a prompt, never from an argument.",
      "%nEnvironment:%n  SOLIDUS_WALLET_STORE, SOLIDUS_WALLET_PASSPHRASE, SOLIDUS_FUNDING_TOKEN;"
          + "%n  for a new wallet SOLIDUS_GATEWAY (as --gateway) and SOLIDUS_DEVELOPMENT_KEYS (as --development-keys)"
    })
final class WalletCommand implements Runnable {
  private static final String DEFAULT_STORE = ".local/share/solidus/wallet.sld";

  @Spec private CommandSpec spec;

  @Option(
      names = "--store",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "the wallet file")
  private @Nullable Path store;

  @Option(
      names = "--gateway",
      paramLabel = "URL",
      scope = ScopeType.INHERIT,
      description = "the gateway, when it is not the one the wallet was made with")
  private @Nullable URI gateway;

  @Option(
      names = "--output",
      paramLabel = "FORMAT",
      defaultValue = "text",
      scope = ScopeType.INHERIT,
      description = "text or json")
  private Output output = Output.TEXT;

  @Option(
      names = "--passphrase-file",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "its first line is the passphrase")
  private @Nullable Path passphraseFile;

  private Terminal terminal;
  private Map<String, String> environment = Map.of();
  private UnaryOperator<WalletOptions> tuning = options -> options;

  void attach(
      Terminal terminal, Map<String, String> environment, UnaryOperator<WalletOptions> tuning) {
    this.terminal = terminal;
    this.environment = environment;
    this.tuning = tuning;
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(spec.commandLine(), "a command is missing");
  }

  Terminal terminal() {
    return terminal;
  }

  Output output() {
    return output;
  }

  Map<String, String> environment() {
    return environment;
  }

  Path store() {
    if (store != null) {
      return store;
    }
    String variable = environment.get("SOLIDUS_WALLET_STORE");
    return variable != null
        ? Path.of(variable)
        : Path.of(environment.getOrDefault("HOME", ".")).resolve(DEFAULT_STORE);
  }

  /**
   * The gateway of a wallet that is being made: the option, or else SOLIDUS_GATEWAY. A wallet that
   * exists moves by the option only.
   */
  @Nullable URI firstGateway() {
    String variable = environment.get("SOLIDUS_GATEWAY");
    return gateway != null || variable == null || variable.isBlank()
        ? gateway
        : URI.create(variable);
  }

  char[] passphrase(boolean twice) {
    return Passphrase.read(passphraseFile, environment, terminal, twice);
  }

  WalletOptions options() {
    return tuning
        .apply(WalletOptions.defaults())
        .withProgress(terminal.progress() ? this::show : Progress.NONE);
  }

  /**
   * Opens the wallet; its gateway is the given one, which is remembered, or else the one it knows.
   */
  Wallet open() {
    if (!Files.exists(store())) {
      throw new WalletException(WalletError.STORE_MISSING, "there is no wallet at " + store());
    }
    char[] passphrase = passphrase(false);
    try {
      Wallet wallet = Wallet.open(store(), passphrase, options());
      URI other = gateway;
      WalletProfile profile = wallet.profile();
      if (other == null || other.equals(profile.gateway())) {
        return wallet;
      }
      try (wallet) {
        wallet.moveTo(profile.withGateway(other));
      }
      return Wallet.open(store(), passphrase, options());
    } finally {
      Arrays.fill(passphrase, '\0');
    }
  }

  private void show(Progress.Step step) {
    terminal.err().print("\r\u001b[K" + step.text() + " ...");
    terminal.err().flush();
  }

  void clearProgress() {
    if (terminal.progress()) {
      terminal.err().print("\r\u001b[K");
      terminal.err().flush();
    }
  }
}
