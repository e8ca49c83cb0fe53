package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.amount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.MailboxBucket;
import io.solidus.wallet.Till;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wire.json.Base64Url;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Wallets of a network whose mailbox has buckets, and gateways that lie about one. */
@Tag("process")
class MailboxBucketsTest {
  private static final int HEAD = 73;
  private static final int RECORD = 1208;
  private static final int PLACE = 33;

  @TempDir private Path folder;
  private WalletBench bench;
  private Wallet alice;
  private Wallet bob;

  @BeforeEach
  void open() {
    bench = new WalletBench(folder);
    bench.options = WalletBench.OPTIONS.withMailboxBits(MailboxBucket.MAX_BITS);
    alice = bench.funded("alice", 10_000);
    bob = bench.inAnotherBucket(alice);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private List<String> mailbox() {
    return bench.gateway.mailbox();
  }

  /** What the gateway learns of a payee is her bucket, from the post and from what she reads. */
  @Test
  void aPaymentIsPostedToThePayeesBucketAndReadThere() {
    alice.pay(bob.address(), amount(500));
    assertThat(bench.gateway.bucketOf(mailbox().getLast())).isEqualTo(WalletBench.bucket(bob));
    bench.gateway.routes.clear();
    assertThat(bob.receive()).hasSize(1);
    assertThat(bench.gateway.routes)
        .contains("GET /v1/mailbox/buckets/" + WalletBench.bucket(bob).number())
        .doesNotContain("GET /v1/mailbox")
        .noneMatch(route ->
            route.startsWith("GET /v1/mailbox/buckets/")
                && !route.endsWith("/" + WalletBench.bucket(bob).number()));
    assertThat(bob.balance().unclaimed()).isEqualTo(amount(500));
  }

  @Test
  void walletsThatKnowNoBucketsPayAndArePaidAsBefore() {
    bench.options = WalletBench.OPTIONS;
    Wallet old = bench.funded("old", 1_000);
    old.pay(bob.address(), amount(300));
    assertThat(bench.gateway.bucketOf(mailbox().getLast())).isEqualTo(MailboxBucket.WHOLE);
    assertThat(bob.receive()).hasSize(1);
    alice.pay(old.address(), amount(200));
    assertThat(old.receive()).hasSize(1);
  }

  /** The payer does not read the payee's bucket: it asks for the message that it posted, once. */
  @Test
  void aDeliveredMessageIsNotPostedAgain() {
    alice.pay(bob.address(), amount(200));
    int posted = mailbox().size();
    alice.receive();
    bench.gateway.routes.clear();
    alice.receive();
    alice.settle();
    assertThat(mailbox()).hasSize(posted);
    assertThat(bench.gateway.routes).doesNotContain("GET /v1/mailbox");
    assertThat(alice.status().pendingDeliveries()).isZero();
  }

  /** Between two payments of a payroll others post more than a page has. */
  @Test
  void manyPostsAreLookedForInSeveralReadings() {
    for (int i = 0; i < 12; i++) {
      alice.pay(bob.address(), amount(10));
      mailbox().addAll(Collections.nCopies(400, Base64Url.encode(new byte[1200])));
    }
    int posted = mailbox().size();
    bench.gateway.routes.clear();
    alice.receive();
    assertThat(Collections.frequency(bench.gateway.routes, "GET /v1/mailbox")).isEqualTo(10);
    alice.receive();
    assertThat(Collections.frequency(bench.gateway.routes, "GET /v1/mailbox")).isEqualTo(12);
    alice.receive();
    assertThat(Collections.frequency(bench.gateway.routes, "GET /v1/mailbox")).isEqualTo(12);
    assertThat(mailbox()).hasSize(posted);
  }

  @Test
  void aPaymentLostWithItsBucketIsPostedAgain() {
    alice.pay(bob.address(), amount(200));
    mailbox().removeLast();
    alice.receive();
    assertThat(bench.gateway.bucketOf(mailbox().getLast())).isEqualTo(WalletBench.bucket(bob));
    assertThat(bob.receive()).hasSize(1);
  }

  /**
   * The payer had found its message, and the mailbox came back from an older backup. Nothing in the
   * payer's own bucket is lost, so the place in the whole mailbox has to tell.
   */
  @Test
  void aPaymentThatWasFoundAndIsLostLaterIsPostedAgain() {
    int backup = mailbox().size();
    alice.pay(bob.address(), amount(200));
    alice.receive();
    alice.receive();
    mailbox().subList(backup, mailbox().size()).clear();
    alice.receive();
    assertThat(bob.receive()).hasSize(1);
  }

  @Test
  void anAlteredMessageIsPostedAgain() {
    alice.pay(bob.address(), amount(200));
    String sealed = mailbox().getLast();
    byte[] altered = Base64Url.decode(sealed, "blob");
    altered[600] ^= 1;
    mailbox().set(mailbox().size() - 1, Base64Url.encode(altered));
    assertThat(bob.receive()).isEmpty();
    alice.receive();
    assertThat(mailbox()).contains(sealed);
    assertThat(bob.receive()).hasSize(1);
  }

  /**
   * Anybody may post to any bucket: what is not the reader's, or nothing at all, is passed over.
   */
  @Test
  void junkInABucketStopsNobody() {
    alice.pay(bob.address(), amount(200));
    for (int i = 0; i < 450; i++) {
      mailbox().addFirst(Base64Url.encode(new byte[1200]));
    }
    assertThat(bob.receive()).hasSize(1);
    assertThat(bob.receive()).isEmpty();
  }

  /** None of these pages moves the wallet's place, and the next honest page has the payment. */
  @Test
  void noPagePushesTheWalletPastWhatItRead() {
    alice.pay(bob.address(), amount(500));
    alice.pay(bob.address(), amount(100));
    assertMisbehaved(page -> new byte[0]);
    assertMisbehaved(page -> Arrays.copyOf(page, page.length - 1));
    assertMisbehaved(page -> Arrays.copyOf(page, page.length + RECORD * 200));
    assertMisbehaved(page -> change(page, 0, (byte) 2));
    assertMisbehaved(page -> number(page, PLACE, -1));
    assertMisbehaved(page -> number(page, PLACE, 1));
    assertMisbehaved(page -> number(page, HEAD, Long.MAX_VALUE));
    assertMisbehaved(page -> number(page, HEAD, 0));
    assertThat(bob.receive()).hasSize(2);
  }

  /** The place that a page names counts only as long as the mailbox has the message there. */
  @Test
  void aPlaceThatDoesNotExistMakesTheWalletReadFromTheStart() {
    alice.pay(bob.address(), amount(500));
    bench.gateway.faults.bucketPages.add(
        page -> number(Arrays.copyOf(page, HEAD), PLACE, Long.MAX_VALUE));
    assertThat(bob.receive()).isEmpty();
    assertThat(bob.receive()).hasSize(1);
    alice.pay(bob.address(), amount(400));
    bench.gateway.faults.bucketPages.add(page -> change(Arrays.copyOf(page, HEAD), PLACE + 20, 7));
    assertThat(bob.receive()).isEmpty();
    assertThat(bob.receive()).hasSize(1);
  }

  /**
   * A gateway that leaves out a message and tells the truth about the place is not noticed by the
   * payee, as before buckets. The coin is not lost: the mailbox has it for a restore.
   */
  @Test
  void aWithheldMessageIsFoundByARestore() {
    String words = WalletBench.newPhrase();
    Wallet carol = WalletBench.registered(bench.restored("carol", words));
    alice.pay(carol.address(), amount(700));
    bench.gateway.faults.bucketPages.add(page -> Arrays.copyOf(page, HEAD));
    assertThat(carol.receive()).isEmpty();
    Wallet restored = bench.restored("carol again", words);
    restored.restore();
    assertThat(restored.balance().unclaimed()).isEqualTo(amount(700));
  }

  @Test
  void aTillReadsTheBucketOfItsWallet() {
    char[] passphrase = "the passphrase of a till".toCharArray();
    Wallet shop = bench.registered("shop");
    shop.makeTill(folder.resolve("till"), passphrase);
    alice.pay(shop.address(), amount(250));
    bench.gateway.routes.clear();
    try (Till till = Till.open(folder.resolve("till"), passphrase, null, bench.options)) {
      assertThat(till.receive()).hasSize(1);
    }
    assertThat(bench.gateway.routes)
        .contains("GET /v1/mailbox/buckets/" + WalletBench.bucket(shop).number())
        .doesNotContain("GET /v1/mailbox");
  }

  private void assertMisbehaved(UnaryOperator<byte[]> lie) {
    bench.gateway.faults.bucketPages.add(lie);
    WalletException failed = catchThrowableOfType(WalletException.class, () -> bob.receive());
    assertThat(failed).isNotNull();
    assertThat(failed.error()).isEqualTo(WalletError.GATEWAY_MISBEHAVED);
  }

  private static byte[] change(byte[] page, int at, int value) {
    byte[] changed = page.clone();
    changed[at] = (byte) value;
    return changed;
  }

  private static byte[] number(byte[] page, int at, long value) {
    byte[] changed = page.clone();
    ByteBuffer.wrap(changed).putLong(at, value);
    return changed;
  }
}
