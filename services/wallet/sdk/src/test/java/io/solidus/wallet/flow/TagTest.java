package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.amount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.dev.testkit.Generators;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Spec;
import io.solidus.wallet.Till;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.keys.SeedPhrase;
import io.solidus.wallet.keys.WalletKeys;
import io.solidus.wallet.mailbox.ParcelCipher;
import io.solidus.wallet.model.ReceivedCoin;
import io.solidus.wallet.model.TillPayment;
import io.solidus.wallet.request.PaymentRequest;
import io.solidus.wallet.request.RequestToken;
import io.solidus.wire.json.Base64Url;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Payments that a shop waits for by the one-time tag of its request. */
@Tag("process")
class TagTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final char[] TILL_PASSPHRASE = "of the till".toCharArray();
  private final Generators random = new Generators(System.nanoTime());

  @TempDir private Path folder;
  private final String words = WalletBench.newPhrase();
  private WalletBench bench;
  private Wallet payer;
  private Wallet shop;

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

  private PaymentRequest request(long minor) {
    return new PaymentRequest(
        shop.address(),
        new PaymentRequest.Price(amount(minor), payer.profile().currency()),
        null,
        shop.newRequestToken(),
        shop.newRequestToken(),
        "tea",
        null);
  }

  private static RequestToken tag(PaymentRequest request) {
    RequestToken tag = request.tag();
    if (tag == null) {
      throw new AssertionError("the request has no tag");
    }
    return tag;
  }

  private List<String> posted(PaymentRequest request) {
    return bench.gateway.tagged.getOrDefault(tag(request).hex(), List.of());
  }

  /** Blobs in the mailbox that the shop can open. */
  private List<String> shopsMail() {
    ParcelCipher parcels = new ParcelCipher(TestCommittee.NETWORK);
    List<String> found = new ArrayList<>();
    try (SeedPhrase phrase = SeedPhrase.parse(words);
        WalletKeys keys = WalletKeys.derive(phrase, TestCommittee.NETWORK)) {
      for (String blob : List.copyOf(bench.gateway.mailbox())) {
        if (parcels.open(keys.encryptionKey(), Base64Url.decode(blob, "blob")).isPresent()) {
          found.add(blob);
        }
      }
    }
    return found;
  }

  private static List<Long> values(List<ReceivedCoin> coins) {
    return coins.stream().map(coin -> coin.value().minor()).toList();
  }

  @Test
  @Spec({"F-71", "F-72"})
  void aPaymentIsAcceptedByItsTagAndNotAgainFromTheMailbox() throws Exception {
    PaymentRequest request = request(70);
    assertThat(shop.receive()).isEmpty();
    CompletableFuture<List<ReceivedCoin>> waiting =
        CompletableFuture.supplyAsync(() -> shop.receive(tag(request), LONG));
    Thread.sleep(300);
    assertThat(waiting).isNotDone();
    payer.pay(payer.readRequest(shop.writeRequest(request, true)).request());
    assertThat(values(waiting.get(8, TimeUnit.SECONDS)))
        .as("before the bucket is read")
        .containsExactly(70L);
    assertThat(posted(request)).hasSize(1);
    assertThat(bench.gateway.mailbox()).as("as every message").containsAll(posted(request));
    assertThat(shop.receive()).isEmpty();
    assertThat(shop.balance().unclaimed()).isEqualTo(amount(70));
    assertThat(shopsMail()).as("no copy beside it").containsOnlyOnceElementsOf(posted(request));
    assertThat(shop.paidFor(Objects.requireNonNull(request.id()))).hasSize(1);
  }

  @Test
  @Spec("F-71")
  void aTillSeesAPaymentByItsTagAndOnce() throws Exception {
    shop.makeTill(folder.resolve("till"), TILL_PASSPHRASE);
    PaymentRequest request = request(30);
    try (Till till =
        Till.open(folder.resolve("till"), TILL_PASSPHRASE, null, WalletBench.OPTIONS)) {
      CompletableFuture<List<TillPayment>> waiting =
          CompletableFuture.supplyAsync(() -> till.receive(tag(request), LONG));
      Thread.sleep(300);
      payer.pay(request);
      assertThat(waiting.get(8, TimeUnit.SECONDS)).hasSize(1);
      assertThat(till.receive()).isEmpty();
      assertThat(till.receive(tag(request), Duration.ofMillis(600))).isEmpty();
      assertThat(till.payments()).hasSize(1);
    }
  }

  /** Attack: payer and gateway show the till a payment that the wallet would never get. */
  @Test
  @Spec("F-71")
  void aTillPutsIntoTheMailboxWhatOnlyItsTagHas() {
    shop.makeTill(folder.resolve("till"), TILL_PASSPHRASE);
    bench.gateway.faults.keepsTaggedOnly = true;
    PaymentRequest request = request(35);
    payer.pay(request);
    try (Till till =
        Till.open(folder.resolve("till"), TILL_PASSPHRASE, null, WalletBench.OPTIONS)) {
      assertThat(till.receive(tag(request), LONG)).hasSize(1);
      assertThat(bench.gateway.mailbox()).containsAll(posted(request));
    }
    assertThat(values(shop.receive())).containsExactly(35L);
  }

  /** The till's process ends before it could post what only the tag had. */
  @Test
  @Spec("F-71")
  void aTillThatWasClosedPostsWhatOnlyItsTagHad() {
    shop.makeTill(folder.resolve("till"), TILL_PASSPHRASE);
    bench.gateway.faults.keepsTaggedOnly = true;
    PaymentRequest request = request(35);
    payer.pay(request);
    bench.gateway.faults.mailboxDown = true;
    try (Till till =
        Till.open(folder.resolve("till"), TILL_PASSPHRASE, null, WalletBench.OPTIONS)) {
      assertThat(till.receive(tag(request), LONG)).hasSize(1);
    }
    bench.gateway.faults.mailboxDown = false;
    assertThat(bench.gateway.mailbox()).doesNotContainAnyElementsOf(posted(request));
    try (Till till =
        Till.open(folder.resolve("till"), TILL_PASSPHRASE, null, WalletBench.OPTIONS)) {
      assertThat(till.receive()).isEmpty();
      assertThat(bench.gateway.mailbox()).containsAll(posted(request));
      int size = bench.gateway.mailbox().size();
      assertThat(till.receive()).isEmpty();
      assertThat(bench.gateway.mailbox()).hasSize(size);
    }
    assertThat(values(shop.receive())).containsExactly(35L);
  }

  /** The gateway's answers for the mailbox are of no use when the wait begins. */
  @Test
  @Spec("F-71")
  void aReadingThatFailsEndsNoWait() {
    PaymentRequest request = request(15);
    payer.pay(request);
    failReadings(1);
    assertThat(values(shop.receive(tag(request), LONG))).containsExactly(15L);
    PaymentRequest unpaid = request(16);
    failReadings(1);
    assertThat(shop.receive(tag(unpaid), Duration.ofSeconds(1))).as("the tag answered").isEmpty();
    bench.gateway.faults.tagsDown = true;
    failReadings(100);
    WalletBench.refused(
        WalletError.GATEWAY_MISBEHAVED, () -> shop.receive(tag(unpaid), Duration.ofSeconds(1)));
  }

  private void failReadings(int count) {
    bench.gateway.faults.mailboxPages.clear();
    for (int i = 0; i < count; i++) {
      bench.gateway.faults.mailboxPages.add(() -> Map.of("entries", List.of()));
    }
  }

  /** Attack: the gateway says that nothing came. The bucket has it. */
  @Test
  @Spec("F-71")
  void aGatewayThatDropsTagsOnlyDelays() {
    bench.gateway.faults.dropsTags = true;
    PaymentRequest request = request(20);
    CompletableFuture<Void> paying =
        CompletableFuture.runAsync(
            () -> payer.pay(request),
            CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS));
    assertThat(values(shop.receive(tag(request), LONG))).containsExactly(20L);
    paying.join();
    bench.gateway.faults.tagsDown = true;
    assertThat(shop.receive(tag(request), Duration.ofSeconds(1))).isEmpty();
  }

  /** Attack: somebody who saw the request fills its tag with junk, and replays an old payment. */
  @Test
  @Spec("F-71")
  void junkInATagHidesNoPayment() {
    PaymentRequest old = request(5);
    payer.pay(old);
    assertThat(shop.receive()).hasSize(1);
    PaymentRequest request = request(40);
    List<String> junk = new CopyOnWriteArrayList<>(posted(old));
    while (junk.size() < 64) {
      junk.add(Base64Url.encode(random.bytes(ParcelCipher.BLOB_BYTES)));
    }
    bench.gateway.tagged.put(tag(request).hex(), junk);
    assertThat(shop.receive(tag(request), Duration.ofMillis(600)))
        .as("junk and a replay are no payment")
        .isEmpty();
    payer.pay(request);
    assertThat(values(shop.receive(tag(request), LONG))).containsExactly(40L);
  }

  /** Attack: the gateway shows the payment and stores it nowhere. The phrase finds it anyway. */
  @Test
  @Spec("F-71")
  void aPaymentThatOnlyTheTagHasIsPosted() {
    bench.gateway.faults.keepsTaggedOnly = true;
    PaymentRequest request = request(25);
    payer.pay(request);
    assertThat(shopsMail()).doesNotContainAnyElementsOf(posted(request));
    assertThat(values(shop.receive(tag(request), LONG))).containsExactly(25L);
    assertThat(shop.receive()).isEmpty();
    Wallet restored = bench.toRestore("again", words);
    restored.restore();
    assertThat(restored.balance().unclaimed()).isEqualTo(amount(25));
  }

  /** The process that accepted the coin ends at once, as the command line does. */
  @Test
  @Spec("F-71")
  void aWalletThatWasClosedPostsWhatOnlyTheTagHad() {
    bench.gateway.faults.keepsTaggedOnly = true;
    PaymentRequest request = request(25);
    payer.pay(request);
    assertThat(values(shop.receive(tag(request), LONG))).containsExactly(25L);
    bench.closeWallet(shop);
    shop = bench.reopen("shop");
    assertThat(shop.receive()).isEmpty();
    assertThat(shop.balance().unclaimed()).isEqualTo(amount(25));
    Wallet restored = bench.toRestore("again", words);
    restored.restore();
    assertThat(restored.balance().unclaimed()).isEqualTo(amount(25));
    int size = bench.gateway.mailbox().size();
    assertThat(shop.receive()).isEmpty();
    assertThat(bench.gateway.mailbox()).as("posted once").hasSize(size);
  }

  /** The first try did not reach the mailbox; then the payer does not want the tag any more. */
  @Test
  @Spec("F-72")
  void aPayerMayLeaveOutTheTagAfterAFailedTry() {
    PaymentRequest request = request(10);
    bench.gateway.faults.mailboxDown = true;
    assertThat(payer.pay(request).delivered()).isFalse();
    bench.gateway.faults.mailboxDown = false;
    assertThat(payer.pay(request.withoutTag()).delivered()).isTrue();
    assertThat(posted(request)).isEmpty();
    assertThat(values(shop.receive())).containsExactly(10L);
  }

  @Test
  @Spec("F-72")
  void theTwentiethPaymentOfAProcessHasItsTag() {
    for (int i = 1; i <= 20; i++) {
      PaymentRequest request = request(i);
      payer.pay(request);
      assertThat(posted(request)).as("payment %d", i).hasSize(1);
    }
  }

  @Test
  @Spec("F-72")
  void aGatewayWithoutTagsGetsTheMessageWithoutOne() {
    bench.gateway.faults.knowsNoTags = true;
    PaymentRequest request = request(10);
    assertThat(payer.pay(request).delivered()).isTrue();
    assertThat(posted(request)).isEmpty();
    assertThat(values(shop.receive(tag(request), LONG))).containsExactly(10L);
  }

  /** A later post would tell the gateway again whose it is, when nobody waits any more. */
  @Test
  @Spec("F-72")
  void aMessageHasItsTagAtTheFirstPostOnlyAndNotAgainstThePayersWill() {
    PaymentRequest request = request(10);
    assertThat(payer.resend(payer.pay(request).core())).isTrue();
    assertThat(posted(request)).hasSize(1);
    PaymentRequest untagged = request(11);
    payer.pay(untagged.withoutTag());
    assertThat(posted(untagged)).isEmpty();
    assertThat(untagged.withoutTag().id()).isEqualTo(untagged.id());
  }

  @Test
  void aWaitHasABound() {
    RequestToken tag = shop.newRequestToken();
    assertThatThrownBy(() -> shop.receive(tag, Duration.ofDays(2)))
        .isInstanceOf(ProtocolException.class);
    assertThatThrownBy(() -> shop.receive(tag, Duration.ofSeconds(-1)))
        .isInstanceOf(ProtocolException.class);
  }
}
