package io.solidus.wallet.cli;

import io.solidus.protocol.NetworkKind;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.model.WalletProfile;
import io.solidus.wallet.session.WalletOptions;
import io.solidus.wallet.session.WalletPlatform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code create}. */
@Command(
    name = "create",
    mixinStandardHelpOptions = true,
    description =
        "Makes a wallet and shows its seed phrase once. The phrase gives full access to the money.")
final class CreateCommand implements Callable<Integer> {
  private final WalletCommand top;
  @Mixin private NetworkOptions network = new NetworkOptions();

  CreateCommand(WalletCommand top) {
    this.top = top;
  }

  @Override
  public Integer call() {
    try (SeedPhrase phrase = SeedPhrase.generate(new SecureRandom())) {
      return make(
          top,
          network,
          phrase,
          Wallet::create,
          wallet -> {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("network", wallet.profile().network().value());
            json.put("kind", EnumText.of(wallet.profile().kind()));
            json.put("address", wallet.addressText());
            json.put("seedPhrase", phrase.words());
            return OpenWalletCommand.Result.done(
                json,
                "Wallet of network "
                    + wallet.profile().network()
                    + (wallet.profile().kind() == NetworkKind.UNREGULATED ? ", unregulated" : "")
                    + "\n\nAddress: "
                    + wallet.addressText()
                    + "\n\nSeed phrase (write it down; it is not shown again):\n\n"
                    + lines(phrase.words()));
          });
    }
  }

  /** Makes a wallet's file. */
  @FunctionalInterface
  interface Maker {
    Wallet make(
        Path store,
        char[] passphrase,
        SeedPhrase phrase,
        WalletProfile profile,
        WalletPlatform platform,
        WalletOptions options);
  }

  /** Makes the wallet's file, runs {@code rest} on the wallet, and writes the result. */
  static int make(
      WalletCommand top,
      NetworkOptions network,
      SeedPhrase phrase,
      Maker maker,
      Function<Wallet, OpenWalletCommand.Result> rest) {
    Path store = top.store().toAbsolutePath();
    if (Files.exists(store)) {
      throw new WalletException(WalletError.STORE_EXISTS, "there is a wallet already: " + store);
    }
    WalletProfile profile = network.profile(top);
    char[] passphrase = top.passphrase(true);
    try (WalletPlatform platform = WalletPlatform.open(profile)) {
      makeFolder(store);
      try (Wallet wallet =
          maker.make(store, passphrase, phrase, profile, platform, top.options())) {
        return OpenWalletCommand.write(top, rest.apply(wallet));
      }
    } finally {
      Arrays.fill(passphrase, '\0');
      top.clearProgress();
    }
  }

  private static void makeFolder(Path store) {
    try {
      Files.createDirectories(store.getParent());
    } catch (IOException e) {
      throw new WalletException(
          WalletError.STORE_UNWRITABLE,
          "the folder of the wallet cannot be made: " + store.getParent(),
          e);
    }
  }

  private static String lines(String words) {
    String[] all = words.split(" ", -1);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < all.length; i++) {
      text.append(String.format("%3d. %-10s", i + 1, all[i])).append(i % 4 == 3 ? "\n" : "");
    }
    return text.toString();
  }
}
