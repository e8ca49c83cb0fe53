package io.solidus.wallet.cli;

import io.solidus.wallet.Wallet;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code address}. */
@Command(name = "address", description = "Shows where payments to this wallet go.")
final class AddressCommand extends OpenWalletCommand {
  @Option(names = "--qr", description = "also draw it as a QR code")
  private boolean qr;

  AddressCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("address", wallet.addressText());
    if (qr) {
      json.put("qr", QrText.draw(wallet.addressText()));
    }
    return Result.done(
        json, wallet.addressText() + (qr ? "\n\n" + QrText.draw(wallet.addressText()) : ""));
  }
}
