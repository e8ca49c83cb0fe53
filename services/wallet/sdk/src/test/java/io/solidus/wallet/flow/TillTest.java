package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.amount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.Address;
import io.solidus.protocol.Amount;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Spec;
import io.solidus.wallet.Till;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.keys.WalletKeys;
import io.solidus.wallet.mailbox.Parcel;
import io.solidus.wallet.mailbox.ParcelCipher;
import io.solidus.wallet.model.TillPayment;
import io.solidus.wallet.request.PaymentRequest;
import io.solidus.wire.json.Base64Url;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A till in a shop, and payers who want goods for nothing. */
@Tag("process")
@Spec("W-16")
class TillTest {
  private static final char[] PASSPHRASE = "of the till".toCharArray();
  private final ParcelCipher parcels = new ParcelCipher(TestCommittee.NETWORK);

  @TempDir private Path folder;
  private WalletBench bench;
  private final String words = WalletBench.newPhrase();
  private Wallet shop;
  private Wallet payer;

  @BeforeEach
  void open() {
    bench = new WalletBench(folder);
    payer = bench.funded("payer", 1_000);
    shop = WalletBench.registered(bench.restored("shop", words));
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private Path till(String name) {
    return folder.resolve(name);
  }

  private Till openTill() {
    return Till.open(till("till"), PASSPHRASE, null, WalletBench.OPTIONS);
  }

  private void makeTill() {
    shop.makeTill(till("till"), PASSPHRASE);
  }

  private static List<String> texts(List<TillPayment> payments) {
    return payments.stream().map(p -> p.value().minor() + " " + p.reference()).toList();
  }

  private void post(Address to, Parcel parcel) {
    bench.gateway.mailbox().add(Base64Url.encode(parcels.seal(to.encryptionKey(), parcel)));
  }

  /** The payments in the mailbox that the shop can open. */
  private List<Parcel.Payment> payments() {
    return payments(words);
  }

  private List<Parcel.Payment> payments(String of) {
    List<Parcel.Payment> payments = new ArrayList<>();
    try (SeedPhrase phrase = SeedPhrase.parse(of);
        WalletKeys keys = WalletKeys.derive(phrase, TestCommittee.NETWORK)) {
      for (String blob : List.copyOf(bench.gateway.mailbox())) {
        if (parcels.open(keys.encryptionKey(), Base64Url.decode(blob, "blob")).orElse(null)
            instanceof Parcel.Payment payment) {
          payments.add(payment);
        }
      }
    }
    return payments;
  }

  private static Parcel.Payment with(Parcel.Payment payment, Amount value, String text) {
    return new Parcel.Payment(
        payment.origin(), value, payment.rho(), payment.signature(), payment.atMillis(), text);
  }

  @Test
  void showsPaymentsOnceAndTheWalletClaimsThem() {
    payer.pay(shop.address(), amount(5), "before the till");
    makeTill(); // the wallet has not read that payment: the till shows it
    try (Till till = openTill()) {
      assertThat(till.address()).isEqualTo(shop.address());
      assertThat(texts(till.receive())).containsExactly("5 before the till");
      PaymentRequest request = PaymentRequest.of(till.address()).withLabel("table 4");
      payer.pay(payer.readRequest(till.writeRequest(request)).request().withPrice(price(70)));
      assertThat(texts(till.receive())).containsExactly("70 table 4");
      assertThat(till.receive()).isEmpty();
      assertThatThrownBy(() -> till.writeRequest(PaymentRequest.of(payer.address())))
          .isInstanceOf(ProtocolException.class);
    }
    assertThat(shop.receive()).hasSize(2);
    shop.claim();
    assertThat(shop.balance().held()).isEqualTo(amount(75));
    try (Till till = openTill()) {
      assertThat(till.receive()).as("also after a restart").isEmpty();
      assertThat(texts(till.payments())).containsExactly("5 before the till", "70 table 4");
    }
  }

  private PaymentRequest.Price price(long minor) {
    return new PaymentRequest.Price(amount(minor), payer.profile().currency());
  }

  /** Attack: a payer posts a coin again with the text of another order. */
  @Test
  void anEarlierPaymentDoesNotCountAgain() {
    payer.pay(shop.address(), amount(30), "order 1");
    shop.receive();
    shop.claim();
    makeTill();
    Parcel.Payment old = payments().getLast();
    try (Till till = openTill()) {
      post(shop.address(), with(old, old.value(), "order 2"));
      assertThat(till.receive()).as("a coin from before the till").isEmpty();
      payer.pay(shop.address(), amount(40), "order 3");
      Parcel.Payment paid = payments().getLast();
      post(shop.address(), with(paid, paid.value(), "order 4"));
      assertThat(texts(till.receive())).as("twice on one page").containsExactly("40 order 3");
      post(shop.address(), with(paid, paid.value(), "order 5"));
      assertThat(till.receive()).isEmpty();
    }
    try (Till till = openTill()) {
      post(shop.address(), with(payments().getLast(), amount(40), "order 6"));
      assertThat(till.receive()).as("after a restart").isEmpty();
    }
  }

  /** Attack: coins that the network did not sign for this shop. */
  @Test
  void whatIsNotTheShopsMoneyIsNotShown() {
    makeTill();
    String otherWords = WalletBench.newPhrase();
    Wallet other = bench.restored("other", otherWords);
    payer.pay(other.address(), amount(20), "to somebody else");
    payer.pay(shop.address(), amount(10), "honest");
    Parcel.Payment honest = payments().getLast();
    post(shop.address(), with(honest, amount(1_000), "more than was signed"));
    post(shop.address(), with(honest, amount(0), "nothing"));
    post(shop.address(), payments(otherWords).getLast());
    bench.gateway.mailbox().add(Base64Url.encode(new byte[ParcelCipher.BLOB_BYTES]));
    try (Till till = openTill()) {
      assertThat(texts(till.receive())).containsExactly("10 honest");
    }
  }

  @Test
  void aMailboxThatComesBackFromABackupShowsNothingTwice() {
    makeTill();
    payer.pay(shop.address(), amount(10), "one");
    try (Till till = openTill()) {
      assertThat(till.receive()).hasSize(1);
      List<String> before = List.copyOf(bench.gateway.mailbox());
      payer.pay(shop.address(), amount(11), "two");
      assertThat(till.receive()).hasSize(1);
      bench.gateway.mailbox().clear();
      bench.gateway.mailbox().addAll(before);
      payer.pay(shop.address(), amount(12), "three");
      assertThat(texts(till.receive())).containsExactly("12 three");
    }
  }

  @Test
  void aTillIsNoWallet() {
    makeTill();
    assertFails(WalletError.STORE_EXISTS, this::makeTill);
    WalletException asWallet =
        catchThrowableOfType(
            WalletException.class,
            () -> Wallet.open(till("till"), PASSPHRASE, bench.platform, WalletBench.OPTIONS));
    assertThat(asWallet.error()).isIn(WalletError.STORE_CORRUPT, WalletError.STORE_VERSION);
    assertFails(
        WalletError.WRONG_PASSPHRASE,
        () -> Till.open(till("till"), "another".toCharArray(), null, WalletBench.OPTIONS));
    assertFails(
        WalletError.MANIFEST_UNTRUSTED,
        () -> Till.open(till("till"), PASSPHRASE, folder, WalletBench.OPTIONS));
    try (Till till = openTill()) {
      assertThat(till.payments()).isEmpty();
      assertFails(WalletError.STORE_LOCKED, this::openTill);
    }
    bench.closeWallet(shop);
    assertFails(
        WalletError.STORE_CORRUPT,
        () -> Till.open(bench.path("shop"), WalletBench.PASSPHRASE, null, WalletBench.OPTIONS));
  }

  private static void assertFails(WalletError error, ThrowingCallable call) {
    WalletException failure = catchThrowableOfType(WalletException.class, call);
    assertThat(failure).isNotNull();
    assertThat(failure.error()).as(failure.getMessage()).isEqualTo(error);
  }
}
