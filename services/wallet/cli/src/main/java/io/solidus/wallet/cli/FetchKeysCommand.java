package io.solidus.wallet.cli;

import io.solidus.wallet.session.KeyDownload;
import io.solidus.wallet.trust.SignedManifest.KeyFile;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code fetch-keys}. It needs no wallet. */
@Command(
    name = "fetch-keys",
    mixinStandardHelpOptions = true,
    description = {
      "Fetches the keys that the folder's signed manifest names and the folder lacks, and a newer"
          + " manifest or shapes that follow those in it.",
      "It goes on where it stopped. What a gateway sends is compared with the manifest."
    })
final class FetchKeysCommand implements Callable<Integer> {
  private final WalletCommand top;
  @Mixin private KeyOptions keys = new KeyOptions();

  FetchKeysCommand(WalletCommand top) {
    this.top = top;
  }

  @Override
  public Integer call() {
    KeyOptions.Pins pins = keys.pins(top);
    KeyDownload.Fetched fetched;
    try {
      fetched =
          KeyDownload.run(
              pins.folder(), pins.manifestKey(), top.firstGateway(), top.options(), this::show);
    } finally {
      top.clearProgress();
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("renewed", fetched.renewed());
    json.put("shapes", fetched.shapes());
    json.put("files", fetched.files());
    json.put("bytes", fetched.bytes());
    json.put("missing", fetched.missing());
    json.put("failed", fetched.failed());
    return OpenWalletCommand.write(top, OpenWalletCommand.Result.done(json, text(fetched)));
  }

  private void show(KeyFile file, long done) {
    if (top.terminal().progress()) {
      top.terminal()
          .err()
          .printf("\r\u001b[K%s: %d of %d kB", file.name(), done / 1000, file.size() / 1000);
      top.terminal().err().flush();
    }
  }

  private static String text(KeyDownload.Fetched fetched) {
    String files =
        fetched.files().isEmpty()
            ? fetched.missing().isEmpty() && fetched.failed().isEmpty()
                ? "The folder has all keys."
                : "Nothing was fetched."
            : "Fetched " + String.join(", ", fetched.files()) + ": " + fetched.bytes() + " bytes.";
    return (fetched.renewed() ? "The folder has a newer manifest.\n" : "")
        + (fetched.shapes() ? "The folder has the shapes of the network now.\n" : "")
        + files
        + (fetched.missing().isEmpty()
            ? ""
            : "\nNo gateway has "
                + String.join(", ", fetched.missing())
                + ": the wallet does without these shapes.")
        + (fetched.failed().isEmpty()
            ? ""
            : "\nA gateway did not send "
                + String.join(", ", fetched.failed())
                + ": until a later 'solidus wallet fetch-keys' gets it, the wallet does without"
                + " these shapes.");
  }
}
