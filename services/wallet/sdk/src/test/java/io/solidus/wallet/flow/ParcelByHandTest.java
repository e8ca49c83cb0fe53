package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.amount;
import static io.solidus.wallet.flow.WalletBench.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.keys.WalletKeys;
import io.solidus.wallet.mailbox.Parcel;
import io.solidus.wallet.mailbox.ParcelCipher;
import io.solidus.wallet.mailbox.ParcelText;
import io.solidus.wallet.model.ReceivedCoin;
import io.solidus.wire.json.Base64Url;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A payee without a network accepts the coin that the payer's device hands over. */
@Tag("process")
@Spec({"F-50", "W-18"})
class ParcelByHandTest {
  @TempDir private Path folder;
  private WalletBench bench;
  private final String words = WalletBench.newPhrase();
  private Wallet payer;
  private Wallet payee;
  private TxCore core;
  private String parcel;

  @BeforeEach
  void payAndHandOver() {
    bench = new WalletBench(folder);
    payer = bench.funded("payer", 1_000);
    payee = WalletBench.registered(bench.restored("payee", words));
    core = payer.pay(payee.address(), amount(400), "bread").core();
    parcel = payer.parcel(core);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void withoutANetwork() {
    bench.gateway.close();
  }

  @Test
  void aPayeeWithoutANetworkAcceptsItOnce() {
    withoutANetwork();
    assertThat(payee.acceptParcel("  " + parcel + "\n"))
        .get()
        .extracting(ReceivedCoin::value, ReceivedCoin::reference)
        .containsExactly(amount(400), "bread");
    assertThat(payee.balance().unclaimed()).isEqualTo(amount(400));
    assertThat(payee.acceptParcel(parcel)).as("the second time").isEmpty();
    bench.closeWallet(payee);
    assertThat(bench.reopen("payee").balance().unclaimed()).isEqualTo(amount(400));
  }

  @Test
  void theMailboxBringsTheSameCoinAndNoSecondOne() {
    assertThat(payee.acceptParcel(parcel)).isPresent();
    assertThat(payee.receive()).isEmpty();
    assertThat(payee.balance().total()).isEqualTo(amount(400));
    payee.pay(payer.address(), amount(400));
    assertThat(payee.balance().total()).isEqualTo(amount(0));
  }

  @Test
  void whatTheMailboxBroughtIsKnown() {
    assertThat(payee.receive()).hasSize(1);
    assertThat(payee.acceptParcel(parcel)).isEmpty();
  }

  /** Attack: the payer never posts the coin, so that the payee's words do not bring it back. */
  @Test
  void thePayeesWordsBringBackACoinThatThePayerNeverPosted() {
    bench.gateway.mailbox().clear();
    assertThat(payee.acceptParcel(parcel)).isPresent();
    payee.receive(); // posts the copy
    Wallet restored = bench.toRestore("restored", words);
    restored.restore();
    assertThat(restored.balance().total()).isEqualTo(amount(400));
  }

  /** Attack: parcels that are no money of this payee. */
  @Test
  void whatIsNotThePayeesMoneyIsRefused() {
    Wallet other = bench.create("other");
    refused(WalletError.PARCEL_INVALID, () -> other.acceptParcel(parcel));
    refused(WalletError.PARCEL_INVALID, () -> payee.acceptParcel(forged(0)));
    refused(WalletError.PARCEL_INVALID, () -> payee.acceptParcel(forged(401)));
    String changed = parcel.substring(0, 900) + (parcel.charAt(900) == 'A' ? 'B' : 'A');
    refused(WalletError.PARCEL_INVALID, () -> payee.acceptParcel(changed + parcel.substring(901)));
    refused(WalletError.PARCEL_INVALID, () -> payee.acceptParcel(parcel.substring(0, 900)));
    refused(WalletError.PARCEL_INVALID, () -> payee.acceptParcel("sld:parcel:*"));
    refused(WalletError.PARCEL_INVALID, () -> payee.acceptParcel(payee.addressText()));
    assertThat(payee.balance().total()).isEqualTo(amount(0));
  }

  /** The payee's parcel with another value than the network signed. */
  private String forged(long value) {
    ParcelCipher cipher = new ParcelCipher(TestCommittee.NETWORK);
    try (SeedPhrase phrase = SeedPhrase.parse(words);
        WalletKeys keys = WalletKeys.derive(phrase, TestCommittee.NETWORK)) {
      Parcel.Payment honest =
          (Parcel.Payment)
              cipher
                  .open(keys.encryptionKey(), ParcelText.read(parcel))
                  .orElseThrow(AssertionError::new);
      return ParcelText.write(
          cipher.seal(
              payee.address().encryptionKey(),
              new Parcel.Payment(
                  honest.origin(),
                  amount(value),
                  honest.rho(),
                  honest.signature(),
                  honest.atMillis(),
                  "not what was signed")));
    }
  }

  @Test
  void aTransferThatPaidNobodyHasNoParcel() {
    refused(RejectionCode.NOT_FOUND, () -> payee.parcel(core));
    assertThat(Base64Url.encode(ParcelText.read(parcel)))
        .as("what was posted")
        .isIn(bench.gateway.mailbox());
  }
}
