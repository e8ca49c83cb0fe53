package io.solidus.wallet.cli;

import io.solidus.wallet.Wallet;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code change-passphrase}. */
@Command(
    name = "change-passphrase",
    description = {
      "Encrypts the wallet file under another passphrase. After a crash the file opens with the old"
          + " one or with the new one.",
      "Copies of the file that were made before still open with the old one."
    })
final class ChangePassphraseCommand extends OpenWalletCommand {
  @Option(
      names = "--new-passphrase-file",
      paramLabel = "FILE",
      description = "file whose first line is the new passphrase (default: a prompt)")
  private @Nullable Path file;

  ChangePassphraseCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    char[] passphrase =
        SecretInput.another("New passphrase of the wallet", file, top.terminal(), true);
    try {
      wallet.changePassphrase(passphrase);
    } finally {
      Arrays.fill(passphrase, '\0');
    }
    return Result.done(Map.of("changed", true), "The wallet opens with the new passphrase now.");
  }
}
