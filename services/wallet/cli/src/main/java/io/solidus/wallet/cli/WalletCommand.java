package io.solidus.wallet.cli;

import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.WalletProfile;
import io.solidus.wallet.session.Progress;
import io.solidus.wallet.session.RelayUse;
import io.solidus.wallet.session.WalletOptions;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.URISyntaxException;
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

/** The top-level command with the options that all commands share. */
@Command(
    name = "solidus wallet",
    description = "A wallet for private, regulated payments.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:done",
      "10:refused by a rule (the code names the rule)",
      "11:not yet: a decision is pending",
      "64:wrong usage",
      "65:a file, phrase, address or request is not valid",
      "66:there is no such wallet or contact",
      "69:a service cannot be reached",
      "70:internal failure",
      "73:the wallet file cannot be written, or wallet or contact exist already",
      "75:try again: busy, or a transfer is in flight",
      "76:a service misbehaved; its answer was rejected",
      "77:the passphrase is wrong",
      "78:wrong network, untrusted keys or services"
    },
    footerHeading = "%nSecrets:%n",
    footer = {
      "  The passphrase comes from --passphrase-file, from SOLIDUS_WALLET_PASSPHRASE or from a"
          + " prompt, never from an argument.",
      "  Other programs of this machine can read arguments. A person's, an account's and a contact's"
          + " details come from a prompt or from standard input; options for the first two may also"
          + " stand in a file: write @FILE in their place.",
      "%nEnvironment:%n  SOLIDUS_WALLET_STORE, SOLIDUS_WALLET_PASSPHRASE, SOLIDUS_FUNDING_TOKEN;"
          + "%n  for a new wallet SOLIDUS_GATEWAY (as --gateway)"
          + " and SOLIDUS_DEVELOPMENT_KEYS (as --development-keys)"
    })
final class WalletCommand implements Runnable {
  private static final String DEFAULT_STORE = ".local/share/solidus/wallet.sld";

  @Spec private CommandSpec spec = CommandSpec.create();

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
      description = "another gateway than the one in the wallet; it is stored")
  private @Nullable URI gateway;

  @Option(
      names = "--proxy",
      paramLabel = "HOST:PORT",
      scope = ScopeType.INHERIT,
      description = "HTTP proxy for all calls, such as the HTTPTunnelPort of Tor")
  private @Nullable String proxy;

  @Option(
      names = "--without-relay",
      scope = ScopeType.INHERIT,
      description = "call the gateway directly: it sees this machine's network address")
  private boolean withoutRelay;

  @Option(
      names = "--only-device",
      scope = ScopeType.INHERIT,
      description = {
        "no other device uses this wallet's words: one transfer may then claim up to 16 coins where"
            + " the network has the keys for it; two devices that did so at one moment could lose coins"
      })
  private boolean onlyDevice;

  @Option(
      names = "--output",
      paramLabel = "FORMAT",
      defaultValue = "text",
      scope = ScopeType.INHERIT,
      description = "text or json")
  private OutputFormat output = OutputFormat.TEXT;

  @Option(
      names = "--passphrase-file",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "file whose first line is the passphrase")
  private @Nullable Path passphraseFile;

  private final Terminal terminal;
  private final Map<String, String> environment;
  private final UnaryOperator<WalletOptions> tuning;

  WalletCommand(
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

  OutputFormat output() {
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
   * The gateway of a new wallet: the option, otherwise SOLIDUS_GATEWAY. For an existing wallet only
   * the option counts.
   */
  @Nullable URI firstGateway() {
    String variable = environment.get("SOLIDUS_GATEWAY");
    return gateway != null || variable == null || variable.isBlank()
        ? gateway
        : URI.create(variable);
  }

  char[] passphrase(boolean twice) {
    return SecretInput.read(passphraseFile, environment, terminal, twice);
  }

  WalletOptions options() {
    WalletOptions options =
        tuning
            .apply(WalletOptions.defaults())
            .withProgress(terminal.progress() ? this::show : Progress.NONE);
    if (onlyDevice) {
      options = options.withOnlyDevice();
    }
    if (withoutRelay) {
      options = options.withRelay(RelayUse.NONE);
    }
    return proxy == null ? options : options.withProxy(ProxySelector.of(proxyAddress(proxy)));
  }

  private InetSocketAddress proxyAddress(String text) {
    try {
      URI address = new URI("http://" + text);
      if (address.getHost() != null && address.getPort() > 0) {
        return InetSocketAddress.createUnresolved(address.getHost(), address.getPort());
      }
    } catch (URISyntaxException e) {
      // refused below
    }
    throw new CommandLine.ParameterException(spec.commandLine(), "--proxy is not HOST:PORT");
  }

  /** Opens the wallet. A gateway in the options replaces the stored one. */
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
