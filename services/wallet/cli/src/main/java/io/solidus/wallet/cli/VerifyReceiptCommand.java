package io.solidus.wallet.cli;

import io.solidus.protocol.Address;
import io.solidus.protocol.ProtocolException;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.receipt.PaymentReceipt;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code verify-receipt}. It needs no wallet and calls no service. */
@Command(
    name = "verify-receipt",
    mixinStandardHelpOptions = true,
    description = {
      "Verifies a receipt with the network's public keys, without a wallet and without a service.",
      "A valid receipt proves that the network accepted a transfer with this amount and payee in"
          + " this period. It does not prove what the payment was for."
    })
final class VerifyReceiptCommand implements Callable<Integer> {
  private static final int MAX_BYTES = 256 * 1024;

  private final WalletCommand top;
  @Mixin private KeyOptions keys = new KeyOptions();

  @Parameters(index = "0", paramLabel = "FILE", description = "the receipt")
  private Path file = Path.of("");

  @Option(
      names = "--to",
      paramLabel = "ADDRESS",
      description = "refuses a receipt of a payment to another address")
  private @Nullable String to;

  VerifyReceiptCommand(WalletCommand top) {
    this.top = top;
  }

  @Override
  public Integer call() {
    PaymentReceipt receipt = PaymentReceipt.parse(read());
    KeyOptions.Pins pins = keys.pins(top);
    receipt.verify(pins.folder(), pins.manifestKey(), pins.classes());
    boolean payee = isTo(receipt);
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("valid", true);
    json.put("network", receipt.network().value());
    json.put("transfer", receipt.core().hex());
    json.put("period", receipt.statement().period().yyyymm());
    json.put("paidMinor", receipt.paid().minor());
    json.put("payee", receipt.coin().owner().value().hex());
    json.put("withdrawnMinor", receipt.statement().withdrawn().minor());
    return OpenWalletCommand.write(top, OpenWalletCommand.Result.done(json, text(receipt, payee)));
  }

  /** Whether the payee was named. */
  private boolean isTo(PaymentReceipt receipt) {
    if (to == null) {
      return false;
    }
    Address address;
    try {
      address = Address.decode(receipt.network(), to.strip());
    } catch (ProtocolException e) {
      throw new WalletException(WalletError.ADDRESS_INVALID, e.detail(), e);
    }
    if (!receipt.isTo(address)) {
      throw new WalletException(
          WalletError.RECEIPT_INVALID, "the receipt is of a payment to another address");
    }
    return true;
  }

  private static String text(PaymentReceipt receipt, boolean payee) {
    return "Valid: the network "
        + receipt.network()
        + " accepted this transfer in "
        + receipt.statement().period().yyyymm()
        + ".\nPaid:      "
        + receipt.paid().minor()
        + " minor units to "
        + (payee ? "the address given" : "key " + receipt.coin().owner().value().hex())
        + "\nWithdrawn: "
        + receipt.statement().withdrawn().minor()
        + " minor units\nTransfer:  "
        + receipt.core().hex();
  }

  private String read() {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new WalletException(WalletError.RECEIPT_INVALID, "the file is too long");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new WalletException(
          WalletError.RECEIPT_INVALID, "the file " + file + " cannot be read", e);
    }
  }
}
