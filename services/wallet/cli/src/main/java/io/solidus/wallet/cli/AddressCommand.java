package io.solidus.wallet.cli;

import io.solidus.wallet.Wallet;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code address}. */
@Command(name = "address", description = "Shows this wallet's address for payments.")
final class AddressCommand extends OpenWalletCommand {
  @Option(names = "--qr", description = "also show it as a QR code")
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
