package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.amount;
import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.world.MovableClock;
import io.solidus.protocol.Spec;
import io.solidus.wallet.Wallet;
import io.solidus.wire.token.Token;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blind tokens from the registration service to the gateway, and services that want to mark. */
@Tag("process")
@Spec("A-11")
class TokenFlowTest {
  private static final Duration REST = Duration.ofMinutes(61);

  private final String words = WalletBench.newPhrase();
  @TempDir private Path folder;
  private WalletBench bench;
  private Wallet wallet;

  @BeforeEach
  void open() {
    bench = new WalletBench(folder);
    bench.gateway.tokens.countersigners = TestNetwork.get().noteSigners.subList(0, 3);
    at(Duration.ofHours(12));
    wallet = bench.funded("wallet", words, 1_000);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void spendsATokenForEachRequestThatCostsNothing() {
    wallet.receive();
    assertThat(wallet.status().tokens()).isEqualTo(FakeTokens.BATCH);
    wallet.pay(wallet.address(), amount(1));
    assertThat(bench.gateway.tokens.all()).as("of a batch that does not rest yet").isEmpty();

    later(Duration.ofHours(12).plus(REST));
    wallet.pay(wallet.address(), amount(1));
    wallet.receive();
    List<Token> shown = bench.gateway.tokens.all();
    assertThat(shown).isNotEmpty().doesNotHaveDuplicates().allMatch(FakeTokens::isOfToday);
    assertThat(wallet.status().tokens()).isEqualTo(FakeTokens.BATCH - shown.size());
    assertThat(bench.gateway.tokens.shown.keySet())
        .allMatch(route ->
            Set.of("POST /v1/mailbox", "POST /v1/coins/state", "POST /v1/proofs").contains(route)
                || route.startsWith("GET /v1/transfers/"));
    for (int i = 0; i < FakeTokens.BATCH; i++) {
      wallet.pay(wallet.address(), amount(1)); // also when there are no more
    }
    assertThat(wallet.status().tokens()).isZero();
    assertThat(bench.gateway.tokens.all()).hasSize(FakeTokens.BATCH).doesNotHaveDuplicates();
    assertThat(bench.gateway.tokens.sizes).containsExactly(FakeTokens.BATCH);
  }

  /** The service keeps the first batch of a day, so it must be the same again. */
  @Test
  void aLostAnswerIsFetchedAgain() {
    bench.gateway.faults.onExchange =
        step -> {
          if (step.startsWith("after POST /v1/registrations/") && step.endsWith("/tokens")) {
            throw new IllegalStateException("the answer is lost");
          }
        };
    wallet.receive();
    assertThat(wallet.status().tokens()).isZero();
    bench.gateway.faults.onExchange = step -> {};
    later(Duration.ofHours(12));
    wallet.receive();
    assertThat(wallet.status().tokens()).isEqualTo(FakeTokens.BATCH);
    assertThat(bench.gateway.tokens.sizes).containsExactly(FakeTokens.BATCH, FakeTokens.BATCH);
  }

  @Test
  void aWalletOfThePhraseGetsTheSameTokens() {
    wallet.receive();
    Wallet restored = bench.restored("restored", words);
    restored.restore();
    restored.receive();
    assertThat(restored.status().tokens()).isEqualTo(FakeTokens.BATCH);
    assertThat(bench.gateway.tokens.batches).hasSize(1);
  }

  /** With f+1, two halves of the honest authorities could each countersign a key of their own. */
  @Test
  @Spec("A-10")
  void takesNoKeyThatAQuorumDidNotCountersign() {
    bench.gateway.tokens.countersigners = TestNetwork.get().noteSigners.subList(0, 2);
    wallet.receive();
    assertThat(wallet.status().tokens()).isZero();
    assertThat(bench.gateway.tokens.sizes).as("requests that tell of the wallet").isEmpty();
  }

  @Test
  @Spec("A-04")
  void takesNoTokenThatTheKeyDidNotSign() {
    bench.gateway.tokens.wrongAnswers = true;
    wallet.receive();
    assertThat(wallet.status().tokens()).isZero();
    later(Duration.ofHours(12));
    bench.gateway.tokens.wrongAnswers = false;
    wallet.receive();
    assertThat(wallet.status().tokens()).isEqualTo(FakeTokens.BATCH);
  }

  @Test
  void spendsTheEarlierDayFirstAndNothingThatCountsNoMore() {
    wallet.receive();
    later(Duration.ofDays(2).minusSeconds(1)); // later than any time that it may have drawn
    wallet.receive();
    assertThat(wallet.status().tokens()).isEqualTo(2 * FakeTokens.BATCH);
    wallet.pay(wallet.address(), amount(1));
    assertThat(bench.gateway.tokens.all()).isNotEmpty().allMatch(FakeTokens::isOfToday);
    bench.gateway.tokens.shown.clear();
    later(Duration.ofHours(49));
    wallet.pay(wallet.address(), amount(1));
    assertThat(bench.gateway.tokens.all()).isNotEmpty().noneMatch(FakeTokens::isOfToday);
  }

  /** A wallet that stays open for months must get tokens when the network begins to issue them. */
  @Test
  void aNetworkWithoutTokensIsAskedAgainLater() {
    bench.gateway.tokens.countersigners = List.of();
    later(Duration.ofHours(12));
    MovableClock clock = new MovableClock();
    bench.closeWallet(wallet);
    bench.options = WalletBench.OPTIONS.withClock(clock);
    wallet = bench.reopen("wallet");
    bench.gateway.routes.clear();
    wallet.receive();
    wallet.receive();
    assertThat(bench.gateway.routes).containsOnlyOnce("GET /v1/tokens/keys");
    bench.gateway.tokens.countersigners = TestNetwork.get().noteSigners.subList(0, 3);
    clock.forward(Duration.ofMinutes(11));
    wallet.receive();
    assertThat(wallet.status().tokens()).isEqualTo(FakeTokens.BATCH);
  }

  /** Each reading would have fetched the note again. */
  @Test
  void aDayWithoutAKeyIsAskedForOnceInAWhile() {
    later(Duration.ofDays(5));
    bench.gateway.routes.clear();
    wallet.receive();
    wallet.receive();
    assertThat(bench.gateway.routes).containsOnlyOnce("GET /v1/tokens/keys");
    assertThat(bench.gateway.tokens.sizes).isEmpty();
  }

  /** Opens the wallet again at a time after the beginning of the first day. */
  private void later(Duration time) {
    bench.closeWallet(wallet);
    at(time);
    wallet = bench.reopen("wallet");
  }

  private void at(Duration time) {
    Instant instant =
        LocalDate.ofEpochDay(bench.gateway.tokens.today)
            .atStartOfDay()
            .toInstant(ZoneOffset.UTC)
            .plus(time);
    bench.options = WalletBench.OPTIONS.withClock(Clock.fixed(instant, ZoneOffset.UTC));
  }
}
