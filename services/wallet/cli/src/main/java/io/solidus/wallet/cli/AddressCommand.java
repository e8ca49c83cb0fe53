package io.solidus.wallet.cli;

import io.solidus.wallet.Wallet;
import io.solidus.wallet.request.RequestText;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code address}. */
@Command(name = "address", description = "Shows this wallet's address for payments.")
final class AddressCommand extends OpenWalletCommand {
  @Option(names = "--qr", description = "also show it as a QR code, with sld: before it")
  private boolean qr;

  AddressCommand(WalletCommand top) {
    super(top);
  }

  @Override
  Result run(Wallet wallet) {
    Map<String, Object> json = new LinkedHashMap<>();
    String uri = RequestText.uri(wallet.profile().network(), wallet.address());
    json.put("address", wallet.addressText());
    json.put("uri", uri);
    json.put("requestKey", wallet.requestKey().hex());
    if (qr) {
      json.put("qr", QrText.draw(uri));
    }
    return Result.done(json, wallet.addressText() + (qr ? "\n\n" + QrText.draw(uri) : ""));
  }
}
