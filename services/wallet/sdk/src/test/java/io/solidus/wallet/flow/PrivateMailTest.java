package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.amount;
import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.Amount;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.Spec;
import io.solidus.wallet.MailStatus;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.mailbox.PrivateMailbox;
import io.solidus.wallet.mailbox.QuerySchedule;
import io.solidus.wallet.model.ReceivedCoin;
import io.solidus.wallet.request.PaymentRequest;
import io.solidus.wallet.request.RequestToken;
import io.solidus.wallet.session.Progress;
import io.solidus.wire.json.Base64Url;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Wallets of a network whose authorities have replicas of the mailbox. */
@Tag("process")
class PrivateMailTest {
  private static final String QUERY = "POST /v1/mailbox/queries";

  @TempDir private Path folder;
  private final SetClock clock = new SetClock();
  private final List<Progress.Step> steps = new ArrayList<>();
  private WalletBench bench;
  private Wallet alice;
  private Wallet bob;

  /** Stands still until it is set: a query that is due in a second must not come by itself. */
  private static final class SetClock extends Clock {
    private volatile Instant now = Instant.now();

    void set(Instant time) {
      now = time;
    }

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  @BeforeEach
  void open() {
    bench = new WalletBench(folder);
    bench.options =
        WalletBench.OPTIONS
            .withMailboxBits(MailboxBucket.MAX_BITS)
            .withReplicas(bench.gateway.tables.keys())
            .withClock(clock)
            .withProgress(steps::add);
    close5();
    alice = bench.funded("alice", 10_000);
    bob = bench.inAnotherBucket(alice);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  /** Five minutes pass, and what was posted is in tables. */
  private void close5() {
    pass(Duration.ofMinutes(5));
    bench.gateway.closeTables(clock);
  }

  private void pass(Duration time) {
    clock.set(clock.instant().plus(time));
  }

  /** Until no query is due for ten minutes. */
  private void quiet(Wallet reader) {
    reader.receive();
    while (reader.mail().nextQuery().isBefore(clock.instant().plus(Duration.ofMinutes(10)))) {
      clock.set(reader.mail().nextQuery());
      bench.gateway.closeTables(clock);
      reader.receive();
    }
  }

  private int queries() {
    return bench.gateway.tables.queries.size();
  }

  private List<String> mailbox() {
    return bench.gateway.mailbox();
  }

  private static long value(List<ReceivedCoin> coins) {
    return coins.stream().mapToLong(coin -> coin.value().minor()).sum();
  }

  /** The gateway sees headers and queries, which every reader of the bucket asks for. */
  @Test
  @Spec({"W-36", "W-37"})
  void aPaymentIsToldAtOnceAndComesWithTheNextQuery() {
    assertThat(bob.mail()).isEqualTo(new MailStatus(true, null, 0, 0, null));
    quiet(bob);
    alice.pay(bob.address(), amount(500));
    close5();
    bench.gateway.routes.clear();
    int before = queries();
    assertThat(bob.receive()).isEmpty(); // the query of the opening was made
    MailStatus mail = bob.mail();
    assertThat(mail.waiting()).isEqualTo(1);
    assertThat(mail.upTo()).isEqualTo(Instant.ofEpochSecond(clock.instant().getEpochSecond()));
    assertThat(mail.nextQuery())
        .isBetween(clock.instant(), clock.instant().plus(Duration.ofHours(2)));
    assertThat(queries()).isEqualTo(before);
    clock.set(mail.nextQuery());
    bench.gateway.closeTables(clock);
    assertThat(value(bob.receive())).isEqualTo(500);
    assertThat(bob.mail().waiting()).isZero();
    assertThat(queries()).isGreaterThan(before);
    assertThat(bench.gateway.routes)
        .contains(QUERY, "GET /v1/mailbox/tables/" + WalletBench.bucket(bob).number() + "/headers")
        .noneMatch(route -> route.endsWith("/records") || route.contains("/buckets/"))
        .doesNotContain("GET /v1/mailbox");
  }

  @Test
  @Spec("W-37")
  void aWalletThatIsOpenedAsksAtOnce() {
    Wallet carol = bench.create("carol");
    quiet(carol);
    alice.pay(carol.address(), amount(500));
    close5();
    bench.closeWallet(carol);
    carol = bench.reopen("carol");
    int before = queries();
    assertThat(value(carol.receive())).isEqualTo(500);
    assertThat(queries()).isEqualTo(before + 1);
    carol.receive();
    assertThat(queries()).isEqualTo(before + 1);
  }

  /** One has mail on each day, the other never: the gateway sees the same of both. */
  @Test
  @Spec("W-37")
  void howOftenAWalletAsksDoesNotDependOnItsMail() {
    bench.options = bench.options.withMailboxBits(0); // one bucket, so both read the same tables
    Wallet payee = bench.create("payee");
    Wallet nobody = bench.create("nobody");
    Wallet payer = bench.funded("payer", 10_000);
    close5();
    for (Wallet reader : List.of(payee, nobody)) {
      assertThat(asks(reader)).isEqualTo(1);
      assertThat(asks(reader)).isZero();
    }
    for (int day = 0; day < 3; day++) {
      payer.pay(payee.address(), amount(500));
      pass(Duration.ofDays(10));
      bench.gateway.closeTables(clock);
      for (Wallet reader : List.of(payee, nobody)) {
        assertThat(asks(reader)).isEqualTo(QuerySchedule.A_DAY);
        assertThat(asks(reader)).isZero();
      }
    }
    assertThat(payee.balance().unclaimed()).isEqualTo(amount(1_500));
  }

  private int asks(Wallet reader) {
    int before = queries();
    reader.receive();
    return queries() - before;
  }

  /** Replicas are away: nothing is made up for, and the message comes with a later query. */
  @Test
  void aMissingAnswerChangesNoTimes() {
    bob.receive();
    alice.pay(bob.address(), amount(500));
    close5();
    bench.gateway.tables.down.addAll(List.of(1, 2, 3, 4));
    pass(Duration.ofMinutes(50));
    bench.gateway.closeTables(clock);
    bob.receive();
    Instant next = bob.mail().nextQuery();
    int before = queries();
    assertThat(bob.receive()).isEmpty();
    assertThat(bob.mail().nextQuery()).isEqualTo(next);
    assertThat(queries()).isEqualTo(before);
    assertThat(bob.mail().waiting()).isEqualTo(1);
    bench.gateway.tables.down.clear();
    pass(Duration.ofHours(3));
    bench.gateway.closeTables(clock);
    assertThat(value(bob.receive())).isEqualTo(500);
  }

  /** A gateway that serves an old list, or none, withholds mail: the owner is told. */
  @Test
  @Spec("W-38")
  void aWithheldListIsToldAndTheOwnerMayReadWhole() {
    bob.receive();
    bench.gateway.tables.withheld = bench.gateway.tables.note();
    alice.pay(bob.address(), amount(500));
    close5();
    assertThat(bob.receive()).isEmpty(); // may be late for an hour, and the status says since when
    assertThat(bob.mail().upTo()).isBefore(clock.instant().minus(Duration.ofMinutes(4)));
    pass(PrivateMailbox.LONGEST_AGE);
    bench.gateway.closeTables(clock);
    WalletBench.refused(WalletError.MAILBOX_STALE, () -> bob.receive());
    bench.gateway.tables.signers = 2;
    WalletBench.refused(WalletError.MAILBOX_STALE, () -> bob.receive());
    assertThat(queries()).isZero();
    assertThat(value(bob.receiveWhole())).isEqualTo(500);
    bench.gateway.tables.signers = 3;
    bench.gateway.tables.withheld = null;
    assertThat(bob.receive()).isEmpty();
    assertThat(bob.mail().waiting()).isZero(); // it was read whole
  }

  /** What it posted to another wallet of its bucket is not sealed to it, and was read as well. */
  @Test
  @Spec("W-38")
  void anOwnPostThatWasReadWholeWaitsNoLonger() {
    bench.options = bench.options.withMailboxBits(0);
    Wallet payer = bench.funded("payer", 1_000);
    Wallet payee = bench.create("payee");
    close5();
    quiet(payer);
    bench.gateway.tables.down.addAll(List.of(1, 2, 3, 4));
    payer.pay(payee.address(), amount(200));
    close5();
    payer.receive();
    assertThat(payer.mail().waiting()).isPositive();
    payer.receiveWhole();
    assertThat(payer.mail().waiting()).isZero();
    close5();
    payer.receive();
    assertThat(payer.mail()).extracting(MailStatus::waiting, MailStatus::overdue).containsOnly(0);
  }

  /** Two signatures of three are a gateway's and f authorities' at most. */
  @Test
  void aListWithTooFewSignaturesIsRefused() {
    bob.receive();
    String note = bench.gateway.tables.note();
    bench.gateway.tables.withheld = note.substring(0, note.lastIndexOf('\u2014'));
    WalletBench.refused(WalletError.GATEWAY_MISBEHAVED, () -> bob.receive());
  }

  /**
   * The process dies when a query has left. Its times are on disk then, so the gateway sees no
   * query more than if it had lived, and the message comes later.
   */
  @Test
  @Spec("W-37")
  void aCrashBehindAQueryRepeatsNone() {
    Wallet carol = bench.create("carol");
    carol.receive();
    close5();
    carol.receive();
    alice.pay(carol.address(), amount(500));
    pass(Duration.ofDays(2));
    bench.gateway.closeTables(clock);
    alice.pay(carol.address(), amount(70));
    pass(Duration.ofMinutes(5));
    bench.gateway.closeTables(clock);
    bench.gateway.faults.onExchange =
        exchange -> {
          if (exchange.equals("before " + QUERY)) {
            bench.copy("carol", "crashed");
          }
        };
    assertThat(value(carol.receive())).isEqualTo(570);
    bench.gateway.faults.onExchange = exchange -> {};
    bench.closeWallet(carol);
    Wallet crashed = bench.reopen("crashed");
    assertThat(crashed.balance().unclaimed()).isEqualTo(amount(0));
    assertThat(crashed.mail().nextQuery()).isAfter(clock.instant());
    int before = queries();
    assertThat(value(crashed.receive())).isEqualTo(500);
    assertThat(crashed.mail().waiting()).isEqualTo(1);
    assertThat(queries()).isEqualTo(before + 1); // that of the opening
  }

  /** What an old copy of the file knows is less; it reads the same again, and counts it once. */
  @Test
  void anOldCopyOfTheFileReadsAgain() {
    Wallet carol = bench.create("carol");
    carol.receive();
    bench.closeWallet(carol);
    bench.copy("carol", "old");
    carol = bench.reopen("carol");
    alice.pay(carol.address(), amount(500));
    close5();
    assertThat(value(carol.receive())).isEqualTo(500);
    bench.closeWallet(carol);
    Wallet old = bench.reopen("old");
    assertThat(value(old.receive())).isEqualTo(500);
    pass(Duration.ofDays(3));
    bench.gateway.closeTables(clock);
    assertThat(old.receive()).isEmpty();
    assertThat(old.balance().unclaimed()).isEqualTo(amount(500));
  }

  /** Replicas keep a day. The wallet says that it reads whole. */
  @Test
  @Spec("W-36")
  void aWalletThatSleptReadsTheOlderDaysWhole() {
    bob.receive();
    alice.pay(bob.address(), amount(500));
    close5();
    pass(Duration.ofDays(4));
    bench.gateway.closeTables(clock);
    steps.clear();
    bench.gateway.routes.clear();
    int before = queries();
    assertThat(value(bob.receive())).isEqualTo(500);
    assertThat(steps).contains(Progress.Step.READING_OLD_MAIL);
    assertThat(bench.gateway.routes)
        .contains("GET /v1/mailbox/tables/" + WalletBench.bucket(bob).number() + "/records");
    assertThat(queries()).isEqualTo(before); // there is nothing of the last day to ask for
  }

  /** An older wallet posts to the root. */
  @Test
  @Spec("W-36")
  void messagesOfOtherNodesAreReadWhole() {
    bob.receive();
    bench.options = WalletBench.OPTIONS;
    Wallet old = bench.funded("old", 1_000);
    old.pay(bob.address(), amount(300));
    close5();
    assertThat(value(bob.receive())).isEqualTo(300);
    assertThat(bob.mail().waiting()).isZero();
  }

  /**
   * A wallet that has only its words reads everything, as before, and asks for none of it again.
   */
  @Test
  @Spec("W-36")
  void aRestoreReadsWhole() {
    String words = WalletBench.newPhrase();
    Wallet carol = WalletBench.registered(bench.restored("carol", words));
    carol.receive();
    alice.pay(carol.address(), amount(700));
    close5();
    bench.closeWallet(carol);
    Wallet restored = bench.toRestore("carol again", words);
    restored.restore();
    assertThat(restored.balance().unclaimed()).isEqualTo(amount(700));
    bench.closeWallet(restored);
    restored = bench.reopen("carol again");
    assertThat(restored.receive()).isEmpty();
    assertThat(restored.mail())
        .extracting(MailStatus::waiting, MailStatus::overdue)
        .containsOnly(0);
    alice.pay(carol.address(), amount(30));
    close5();
    restored.receive();
    clock.set(restored.mail().nextQuery());
    bench.gateway.closeTables(clock);
    assertThat(value(restored.receive())).isEqualTo(30);
  }

  private static PaymentRequest request(Wallet payee, long minor) {
    return new PaymentRequest(
        payee.address(),
        new PaymentRequest.Price(amount(minor), payee.profile().currency()),
        null,
        payee.newRequestToken(),
        payee.newRequestToken(),
        "tea",
        null);
  }

  private static long receiveByTag(Wallet payee, PaymentRequest request) {
    RequestToken tag = request.tag();
    if (tag == null) {
      throw new AssertionError("the request has no tag");
    }
    return value(payee.receive(tag, Duration.ofSeconds(30)));
  }

  /** Its header in a table is enough, also in a later process. */
  @Test
  @Spec({"F-71", "W-36"})
  void aPaymentByItsTagCostsNoQueryAndNoPost() {
    Wallet carol = bench.create("carol");
    quiet(carol);
    PaymentRequest request = request(carol, 500);
    alice.pay(request);
    int posted = mailbox().size();
    assertThat(receiveByTag(carol, request)).isEqualTo(500);
    bench.closeWallet(carol);
    carol = bench.reopen("carol");
    close5();
    carol.receive();
    assertThat(carol.mail().waiting()).isZero();
    pass(Duration.ofHours(3));
    bench.gateway.closeTables(clock);
    carol.receive();
    assertThat(mailbox()).hasSize(posted);
    assertThat(carol.balance().unclaimed()).isEqualTo(amount(500));
  }

  /** Attack: the gateway shows the payment and puts it into no table. */
  @Test
  @Spec({"F-71", "W-39"})
  void aPaymentThatOnlyTheTagHasIsPostedWhenTablesDoNotBringIt() {
    Wallet carol = bench.create("carol");
    quiet(carol);
    bench.gateway.faults.keepsTaggedOnly = true;
    PaymentRequest request = request(carol, 500);
    alice.pay(request);
    assertThat(receiveByTag(carol, request)).isEqualTo(500);
    bench.closeWallet(carol);
    carol = bench.reopen("carol");
    int posted = mailbox().size();
    close5();
    carol.receive();
    assertThat(mailbox()).as("it may be on its way").hasSize(posted);
    pass(Duration.ofHours(2));
    bench.gateway.closeTables(clock);
    carol.receive();
    assertThat(mailbox()).hasSize(posted + 1);
    close5();
    carol.receive();
    pass(Duration.ofHours(2));
    bench.gateway.closeTables(clock);
    carol.receive();
    assertThat(mailbox()).as("once").hasSize(posted + 1);
  }

  /** Its body never came, but its header is in a table that authorities signed. */
  @Test
  @Spec("W-39")
  void anOwnPostThatIsOverdueIsNotPostedAgain() {
    alice.receive();
    bench.fund(alice, 70); // with a copy to herself
    bench.gateway.tables.down.addAll(List.of(1, 2, 3, 4));
    close5();
    alice.receive();
    assertThat(alice.mail().waiting()).isPositive();
    int posted = mailbox().size();
    for (int i = 0; i < 5; i++) {
      pass(Duration.ofHours(8));
      bench.gateway.closeTables(clock);
      alice.receive();
    }
    assertThat(alice.mail().waiting()).isZero();
    assertThat(mailbox()).hasSize(posted);
  }

  /** Attack: a gateway changes the body of a message that its payer reads as well. */
  @Test
  @Spec("W-39")
  void anOwnPostWithAnotherBodyInTablesIsPostedAgainOnce() {
    alice.receive();
    bench.fund(alice, 70); // with a copy to herself
    String sealed = bench.gateway.changeLastMessage();
    close5();
    for (int i = 0; i < 5; i++) {
      assertThat(mailbox()).doesNotContain(sealed);
      clock.set(alice.mail().nextQuery()); // in a day, and by processes of their own
      bench.gateway.closeTables(clock);
      bench.closeWallet(alice);
      alice = bench.reopen("alice");
      alice.receive();
    }
    int posted = mailbox().size();
    for (int i = 0; i < 9; i++) {
      pass(Duration.ofHours(5));
      bench.gateway.closeTables(clock);
      alice.receive();
    }
    assertThat(alice.mail()).extracting(MailStatus::waiting, MailStatus::overdue).containsOnly(0);
    assertThat(mailbox()).hasSize(posted + 1).contains(sealed);
  }

  /** Lists go on, and tables lag behind the posts by hours. */
  @Test
  @Spec("W-39")
  void aPostThatTablesDoNotReachIsPostedAgainOnceAnHour() {
    alice.receive();
    bench.fund(alice, 70); // with a copy to herself
    bench.gateway.tables.lags = true;
    int posted = mailbox().size();
    close5();
    alice.receive();
    assertThat(mailbox()).hasSize(posted);
    pass(Duration.ofHours(2));
    bench.gateway.closeTables(clock);
    for (int i = 0; i < 3; i++) {
      alice.receive();
      close5();
    }
    assertThat(mailbox()).hasSize(posted + 1);
    pass(Duration.ofHours(2));
    bench.gateway.closeTables(clock);
    alice.receive();
    assertThat(mailbox()).hasSize(posted + 2);
  }

  /** The payer looks for what she posted when it must be in a table, once. */
  @Test
  void aDeliveredMessageIsNotPostedAgain() {
    alice.receive();
    alice.pay(bob.address(), amount(200));
    int posted = mailbox().size();
    close5();
    alice.receive();
    alice.receive();
    assertThat(mailbox()).hasSize(posted);
    payAlice();
    posted = mailbox().size();
    bench.gateway.routes.clear();
    alice.receive();
    alice.receive();
    assertThat(bench.gateway.routes.stream().filter("GET /v1/mailbox"::equals)).hasSize(1);
    assertThat(mailbox()).hasSize(posted);
  }

  /** Opening takes time that depends on the mail, and a gateway sees when each request comes. */
  @Test
  @Spec("W-36")
  void noLookForAPostIsBehindTheOpening() {
    quiet(alice);
    alice.pay(bob.address(), amount(200));
    payAlice();
    pass(Duration.ofMinutes(61)); // later than that she looks whatever the tables' numbers
    if (alice.mail().nextQuery().isAfter(clock.instant())) {
      clock.set(alice.mail().nextQuery());
    }
    bench.gateway.closeTables(clock);
    Amount before = alice.balance().unclaimed();
    bench.gateway.faults.onExchange =
        exchange -> {
          if (exchange.equals("before GET /v1/mailbox")) {
            bench.copy("alice", "looking");
          }
        };
    assertThat(value(alice.receive())).isEqualTo(1);
    bench.gateway.faults.onExchange = exchange -> {};
    assertThat(alice.balance().unclaimed()).isNotEqualTo(before);
    bench.closeWallet(alice);
    assertThat(bench.reopen("looking").balance().unclaimed()).isEqualTo(before);
  }

  /** A table of alice's bucket shows that all before it are closed. */
  private void payAlice() {
    Wallet dora = bench.funded("dora", 1_000);
    dora.pay(alice.address(), amount(1));
    close5();
  }

  @Test
  @Spec("W-39")
  void aPaymentThatIsInNoTableIsPostedAgain() {
    alice.receive();
    alice.pay(bob.address(), amount(200));
    String sealed = mailbox().getLast();
    mailbox().set(mailbox().size() - 1, Base64Url.encode(new byte[1200]));
    payAlice();
    assertThat(mailbox()).doesNotContain(sealed);
    alice.receive();
    assertThat(mailbox()).contains(sealed);
    close5();
    assertThat(value(bob.receive())).isEqualTo(200);
  }

  /** With a number that no table reaches, a gateway would keep the payer waiting for ever. */
  @Test
  @Spec("W-39")
  void aNumberThatIsNeverReachedDoesNotHideALoss() {
    alice.receive();
    bench.gateway.faults.postedNumber = 1L << 60;
    alice.pay(bob.address(), amount(200));
    bench.gateway.faults.postedNumber = 0;
    String sealed = mailbox().removeLast();
    close5();
    alice.receive();
    assertThat(mailbox()).doesNotContain(sealed);
    pass(Duration.ofHours(2));
    bench.gateway.closeTables(clock);
    alice.receive();
    assertThat(mailbox()).contains(sealed);
  }

  /** The mailbox came back from a backup, and all authorities started their replicas anew. */
  @Test
  void aPaymentThatWasFoundAndIsLostLaterIsPostedAgain() {
    int backup = mailbox().size();
    alice.receive();
    alice.pay(bob.address(), amount(200));
    payAlice();
    alice.receive();
    mailbox().subList(backup, mailbox().size()).clear();
    bench.gateway.tables.forget();
    close5();
    alice.receive();
    alice.receive();
    close5();
    assertThat(value(bob.receive())).isEqualTo(200);
  }
}
