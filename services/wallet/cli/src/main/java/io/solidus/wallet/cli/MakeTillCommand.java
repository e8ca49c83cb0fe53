package io.solidus.wallet.cli;

import io.solidus.wallet.Wallet;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code make-till}. */
@Command(
    name = "make-till",
    description = {
      "Writes the file of a till: a device that sees and verifies payments to this wallet and cannot"
          + " spend.",
      "Copy the file to the device, with the folder of the network's keys, and use 'till' there.",
      "Whoever has the file and its passphrase can read what is sealed to this wallet's address, for"
          + " ever."
    })
final class MakeTillCommand extends OpenWalletCommand {
  @Parameters(index = "0", paramLabel = "FILE", description = "the new file")
  private Path file = Path.of("");

  @Option(
      names = "--till-passphrase-file",
      paramLabel = "FILE",
      description = "file whose first line is the till's passphrase (default: a prompt)")
  private @Nullable Path passphraseFile;

  MakeTillCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    char[] passphrase =
        SecretInput.another(TillCommand.QUESTION, passphraseFile, top.terminal(), true);
    try {
      wallet.makeTill(file, passphrase);
    } finally {
      Arrays.fill(passphrase, '\0');
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("till", file.toString());
    json.put("address", wallet.addressText());
    return Result.done(json, "The till's file is " + file + ".");
  }
}
