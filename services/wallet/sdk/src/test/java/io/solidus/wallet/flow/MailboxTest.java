package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.amount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Digest32;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.session.MailboxClient;
import io.solidus.wallet.session.WalletSession;
import io.solidus.wallet.store.WalletStore;
import io.solidus.wire.json.Base64Url;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mailboxes that lie, that lose messages, and that come back from a backup. */
@Tag("process")
class MailboxTest {
  private static final String BLOB = Base64Url.encode(new byte[1200]);

  private static final String BLOB_DIGEST =
      Base64Url.encode(Digest32.sha256(new byte[1200]).bytes());

  @TempDir private Path folder;
  private WalletBench bench;
  private Wallet alice;
  private Wallet bob;

  @BeforeEach
  void open() {
    bench = new WalletBench(folder);
    alice = bench.funded("alice", 10_000);
    bob = bench.create("bob");
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static Map<String, Object> page(long next, long... sequences) {
    List<Map<String, Object>> entries =
        LongStream.of(sequences)
            .mapToObj(sequence -> Map.<String, Object>of("sequence", sequence, "blob", BLOB))
            .toList();
    return Map.of("entries", entries, "next", next);
  }

  private void loseMessagesAfter(int backup) {
    bench.gateway.mailbox().subList(backup, bench.gateway.mailbox().size()).clear();
  }

  @Test
  void noPagePushesTheWalletPastWhatItRead() {
    bench.gateway.faults.mailboxPages.add(() -> page(Long.MAX_VALUE, 1));
    assertMisbehaved();
    bench.gateway.faults.mailboxPages.add(() -> page(2, 1, 1, 2));
    assertMisbehaved();
    bench.gateway.faults.mailboxPages.add(() -> page(1, 2, 1));
    assertMisbehaved();
    bench.gateway.faults.mailboxPages.add(() -> page(0, 0));
    assertMisbehaved();
    bench.gateway.faults.mailboxPages.add(() -> page(7));
    assertMisbehaved();
    alice.pay(bob.address(), amount(500));
    assertThat(bob.receive()).hasSize(1);
  }

  /** The page is in order; a message with this number never comes in an honest mailbox. */
  @Test
  void aMessageWithAnEnormousNumberDoesNotMakeAWalletDeaf() {
    bench.gateway.faults.mailboxPages.add(() -> page(Long.MAX_VALUE, Long.MAX_VALUE));
    assertThat(bob.receive()).isEmpty();
    alice.pay(bob.address(), amount(500));
    assertThat(bob.receive()).hasSize(1);
    assertThat(bob.balance().unclaimed()).isEqualTo(amount(500));
  }

  /** The numbers go on from the backup's, below those that the wallet has read. */
  @Test
  void aCoinInARestoredMailboxIsFoundByAWalletThatHadReadFurther() {
    int backup = bench.gateway.mailbox().size();
    Wallet carol = bench.create("carol");
    alice.pay(alice.address(), amount(1));
    alice.pay(alice.address(), amount(1));
    carol.receive();
    loseMessagesAfter(backup);
    alice.pay(carol.address(), amount(300));
    assertThat(carol.receive()).hasSize(1);
    assertThat(carol.receive()).isEmpty();
    assertThat(carol.balance().unclaimed()).isEqualTo(amount(300));
  }

  @Test
  void aCoinLostWithTheMailboxIsPostedAgain() {
    int backup = bench.gateway.mailbox().size();
    assertThat(alice.pay(bob.address(), amount(200)).delivered()).isTrue();
    loseMessagesAfter(backup);
    alice.receive();
    assertThat(bob.receive()).hasSize(1);
    assertThat(bob.balance().unclaimed()).isEqualTo(amount(200));
  }

  /** The payer had read its own message, and the backup is older than that. */
  @Test
  void aCoinThatWasSeenInTheMailboxAndIsLostWithItIsPostedAgain() {
    int backup = bench.gateway.mailbox().size();
    alice.pay(bob.address(), amount(200));
    alice.receive();
    bench.closeWallet(alice);
    loseMessagesAfter(backup);
    bench.reopen("alice").receive();
    assertThat(bob.receive()).hasSize(1);
  }

  @Test
  void aSeenCoinIsNotPostedAgain() {
    alice.pay(bob.address(), amount(200));
    int posted = bench.gateway.mailbox().size();
    alice.receive();
    alice.receive();
    alice.settle();
    assertThat(bench.gateway.mailbox()).hasSize(posted);
    assertThat(alice.status().pendingDeliveries()).isZero();
  }

  /** Each page goes on for ever; the bench's gateway would too. */
  @Test
  void aMailboxWithoutAnEndIsGivenUp() {
    bench.closeWallet(bob);
    for (int i = 0; i < 4; i++) {
      long first = i * 200L + 1;
      Map<String, Object> full =
          new HashMap<>(page(first + 199, LongStream.range(first, first + 200).toArray()));
      full.put("at", BLOB_DIGEST);
      bench.gateway.faults.mailboxPages.add(() -> full);
    }
    bench.gateway.routes.clear();
    try (WalletSession session =
        new WalletSession(
            WalletStore.open(bench.path("bob"), WalletBench.PASSPHRASE),
            bench.platform,
            WalletBench.OPTIONS,
            folder)) {
      WalletException failed =
          catchThrowableOfType(
              WalletException.class, () -> new MailboxClient(session, 3).receive());
      assertThat(failed.error()).isEqualTo(WalletError.GATEWAY_MISBEHAVED);
    }
    assertThat(bench.gateway.routes).hasSize(3);
  }

  /** The mailbox forgets a coin after 90 days; the wallet's copy in it is younger. */
  @Test
  void anUnclaimedCoinOutlivesTheMailboxsRetention() {
    String words = WalletBench.newPhrase();
    bench.closeWallet(bench.restored("carol", words));
    Wallet carol = bench.reopen("carol");
    alice.pay(carol.address(), amount(700));
    int payment = bench.gateway.mailbox().size() - 1;
    carol.receive();
    int before = bench.gateway.mailbox().size();
    bench.closeWallet(carol);
    Wallet later = bench.reopen("carol", WalletBench.OPTIONS.withClock(inDays(61)));
    later.receive();
    assertThat(bench.gateway.mailbox()).hasSize(before + 1);
    later.receive();
    later.receive();
    assertThat(bench.gateway.mailbox()).hasSize(before + 1);
    bench.gateway.mailbox().set(payment, BLOB);
    Wallet restored = bench.restored("carol again", words);
    restored.receive();
    assertThat(restored.balance().unclaimed()).isEqualTo(amount(700));
  }

  private static Clock inDays(int days) {
    return Clock.fixed(Instant.now().plus(Duration.ofDays(days)), ZoneOffset.UTC);
  }

  private void assertMisbehaved() {
    WalletException failed = catchThrowableOfType(WalletException.class, () -> bob.receive());
    assertThat(failed).isNotNull();
    assertThat(failed.error()).isEqualTo(WalletError.GATEWAY_MISBEHAVED);
  }
}
