package io.solidus.wallet.cli;

import io.solidus.protocol.Address;
import io.solidus.protocol.ProtocolException;
import io.solidus.prover.KeySet;
import io.solidus.prover.NativeErrorCode;
import io.solidus.prover.NativeException;
import io.solidus.prover.Suite;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.receipt.PaymentReceipt;
import io.solidus.wallet.trust.SignedManifest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
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
    verify(receipt);
    boolean payee = isTo(receipt);
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("valid", true);
    json.put("network", receipt.network().value());
    json.put("transfer", receipt.core().hex());
    json.put("period", receipt.statement().period().yyyymm());
    json.put("paidMinor", receipt.coin().value().minor());
    json.put("payee", receipt.coin().owner().value().hex());
    json.put("withdrawnMinor", receipt.statement().withdrawn().minor());
    return OpenWalletCommand.write(top, OpenWalletCommand.Result.done(json, text(receipt, payee)));
  }

  private void verify(PaymentReceipt receipt) {
    KeyOptions.Pins pins = keys.pins(top);
    try (KeySet opened =
        KeySet.open(
            pins.folder(),
            receipt.network(),
            SignedManifest.read(pins.folder(), pins.manifestKey()).kind(),
            pins.classes(),
            pins.manifestKey())) {
      receipt.verify(opened.committee(), new Suite(opened.network(), opened.kind()), Instant.now());
    } catch (NativeException e) {
      boolean ofAnotherNetwork = e.code() == NativeErrorCode.KEYS_NETWORK;
      throw new WalletException(
          ofAnotherNetwork ? WalletError.RECEIPT_INVALID : WalletError.MANIFEST_UNTRUSTED,
          ofAnotherNetwork
              ? "the receipt is of network " + receipt.network() + ", the keys are of another"
              : "the keys in " + pins.folder() + " cannot be used: " + e.getMessage(),
          e);
    }
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
    if (!address.apk().equals(receipt.coin().owner())) {
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
        + receipt.coin().value().minor()
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
