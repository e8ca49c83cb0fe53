package io.solidus.wallet.cli;

import io.solidus.protocol.NetworkKind;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.session.Restorer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code restore}. */
@Command(
    name = "restore",
    mixinStandardHelpOptions = true,
    description = {
      "Restores a wallet from its 24 words: coins, history, and a transfer in flight.",
      "Goes on where an earlier restore of the same file stopped.",
      "Use a seed phrase in one place at a time."
    })
final class RestoreCommand implements Callable<Integer> {
  private final WalletCommand top;
  @Mixin private NetworkOptions network = new NetworkOptions();

  @Option(
      names = "--seed-file",
      paramLabel = "FILE",
      description = "file whose first line has the 24 words (default: a prompt)")
  private @Nullable Path seedFile;

  RestoreCommand(WalletCommand top) {
    this.top = top;
  }

  @Override
  public Integer call() {
    char[] words =
        seedFile != null
            ? SecretInput.firstLine(seedFile, "the seed file")
            : SecretInput.ask(top.terminal(), "Seed phrase (24 words)");
    try (SeedPhrase phrase = SeedPhrase.parse(new String(words))) {
      return Files.exists(top.store())
          ? goOn(phrase)
          : CreateCommand.make(
              top, network, phrase, Wallet::createToRestore, RestoreCommand::restore);
    } finally {
      Arrays.fill(words, '\0');
    }
  }

  private int goOn(SeedPhrase phrase) {
    try (Wallet wallet = top.open()) {
      if (!wallet.status().restoring() || !wallet.isOf(phrase)) {
        throw new WalletException(
            WalletError.STORE_EXISTS, "there is a wallet already: " + top.store());
      }
      return OpenWalletCommand.write(top, restore(wallet));
    } finally {
      top.clearProgress();
    }
  }

  private static OpenWalletCommand.Result restore(Wallet wallet) {
    Restorer.Restored restored = wallet.restore();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("network", wallet.profile().network().value());
    json.put("address", wallet.addressText());
    json.put("registered", restored.registered());
    json.put("transfers", restored.transfers());
    json.put("coins", restored.coins());
    json.put("heldMinor", wallet.balance().held().minor());
    json.put("unclaimedMinor", wallet.balance().unclaimed().minor());
    json.put("disbelievedAuthorities", List.copyOf(restored.disbelieved()));
    return OpenWalletCommand.Result.done(
        json,
        "Restored "
            + wallet.addressText()
            + "\n"
            + restored.transfers()
            + " transfers and "
            + restored.coins()
            + " received coins found; balance "
            + OpenWalletCommand.money(wallet, wallet.balance().total())
            + (restored.registered() || wallet.profile().kind() == NetworkKind.UNREGULATED
                ? ""
                : "\nNot registered, as far as the mailbox tells. If this wallet was: 'solidus"
                    + " wallet register' with the same person brings its first coin back.")
            + warning(restored.disbelieved()));
  }

  private static String warning(Collection<Integer> disbelieved) {
    return disbelieved.isEmpty()
        ? ""
        : "\nWarning: authorities "
            + disbelieved.stream().map(String::valueOf).collect(Collectors.joining(", "))
            + " returned foreign transfers for this wallet's coins; their answers were ignored."
            + " Tell the operator of the network.";
  }
}
