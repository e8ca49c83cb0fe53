package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.amount;
import static io.solidus.wallet.flow.WalletBench.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.wallet.Balance;
import io.solidus.wallet.Retirement;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A balance moves to fresh keys, and who has the old ones finds nothing. */
@Tag("process")
@Spec("W-17")
class RetirementTest {
  @TempDir private Path folder;
  private WalletBench bench;
  private final String words = WalletBench.newPhrase();
  private Wallet fresh;

  @BeforeEach
  void open() {
    bench = new WalletBench(folder);
    fresh = bench.create("fresh");
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static Balance nothing() {
    return new Balance(amount(0), amount(0), 0);
  }

  private long freshTotal() {
    fresh.receive();
    return fresh.balance().total().minor();
  }

  private void assertRetired(Retirement retired, long moved) {
    assertThat(retired.moved()).isEqualTo(amount(moved));
    assertThat(retired.complete()).isTrue();
    assertThat(retired.refusal()).isNull();
    assertThat(freshTotal()).isEqualTo(moved);
  }

  /** Attack: the thief of an old copy of the file, and of the words, pays himself. */
  @Test
  void aCopyOfTheFileAndTheWordsPayNothingAfterwards() {
    Wallet old = bench.funded("old", words, 1_000, 300, 20, 7);
    old.claim();
    bench.closeWallet(old);
    bench.copy("old", "stolen");

    assertRetired(bench.reopen("old").retire(fresh.address()), 1_327);

    Wallet thief = bench.registered("thief");
    Wallet stolen = bench.reopen("stolen");
    refused(RejectionCode.INSUFFICIENT_FUNDS, () -> stolen.pay(thief.address(), amount(1), "mine"));
    assertThat(stolen.balance()).isEqualTo(nothing());
    Wallet restored = bench.toRestore("of the words", words);
    restored.restore();
    assertThat(restored.balance()).isEqualTo(nothing());
    assertThat(thief.receive()).isEmpty();
  }

  /** The fresh wallet is registered long afterwards; what it got is claimed then. */
  @Test
  void whatMovedIsSpentOnceTheFreshWalletIsRegistered() {
    assertRetired(bench.funded("old", 900).retire(fresh.address()), 900);
    Wallet shop = bench.registered("shop");
    refused(WalletError.NOT_REGISTERED, () -> fresh.pay(shop.address(), amount(400)));
    WalletBench.registered(fresh);
    fresh.pay(shop.address(), amount(400));
    assertThat(fresh.balance().total()).isEqualTo(amount(500));
  }

  @Test
  void aRunThatWasCutOffGoesOnAndPaysNothingTwice() {
    bench.closeWallet(bench.funded("old", 500, 400, 300, 200, 100));
    Wallet cutOff = bench.reopen("old", WalletBench.IMPATIENT);
    bench.gateway.faults.onTransfer =
        request -> {
          if (bench.gateway.transfers.size() == 2) {
            bench.gateway.faults.lostReplies.set(Integer.MAX_VALUE);
          }
        };
    refused(WalletError.TRANSFER_IN_FLIGHT, () -> cutOff.retire(fresh.address()));
    bench.closeWallet(cutOff);
    bench.gateway.faults.onTransfer = null;
    bench.gateway.faults.lostReplies.set(0);

    Retirement rest = bench.reopen("old").retire(fresh.address());
    assertThat(rest.complete()).isTrue();
    assertThat(freshTotal()).isEqualTo(1_500);
  }

  /** The thief has paid already, and the owner's file does not know it. */
  @Test
  void aFileThatIsBehindMovesWhatIsLeft() {
    Wallet old = bench.funded("old", words, 1_000);
    old.claim();
    bench.closeWallet(old);
    bench.copy("old", "behind");
    bench.reopen("old").pay(bench.registered("thief").address(), amount(300));
    assertRetired(bench.reopen("behind").retire(fresh.address()), 700);
  }

  @Test
  void theBalanceMovesAlthoughTheMailboxTakesNothing() {
    Wallet old = bench.funded("old", 1_000);
    bench.gateway.faults.mailboxDown = true;
    Retirement retired = old.retire(fresh.address());
    assertThat(retired.moved()).isEqualTo(amount(1_000));
    assertThat(retired.payments().getLast().delivered()).isFalse();
    bench.gateway.faults.mailboxDown = false;
    old.settle();
    assertThat(freshTotal()).isEqualTo(1_000);
  }

  @Test
  void theLimitsLeaveARestThatTheResultNames() {
    Wallet old = bench.funded("old", 1_000, 500, 200);
    bench.gateway.rules.policy(600, 900, 1_000_000, 50);
    Retirement retired = old.retire(fresh.address());
    assertThat(retired.moved()).isEqualTo(amount(900));
    assertThat(retired.left()).isEqualTo(amount(800));
    assertThat(retired.refusal()).isEqualTo(RejectionCode.OVER_LIMIT_PERIOD);
    assertThat(retired.complete()).isFalse();
    assertThat(freshTotal()).isEqualTo(900);

    bench.gateway.rules.policy(600, 5_000, 1_000_000, 50);
    assertRest(old.retire(fresh.address()), 800);
  }

  private static void assertRest(Retirement retired, long moved) {
    assertThat(retired.moved()).isEqualTo(amount(moved));
    assertThat(retired.complete()).isTrue();
  }

  @Test
  void aCoinAboveTheHoldingLimitStaysAndIsNamed() {
    Wallet old = bench.funded("old", 50_000);
    bench.gateway.rules.policy(10_000, 500_000, 20_000, 50);
    Retirement retired = old.retire(fresh.address());
    assertThat(retired.refusal()).isEqualTo(RejectionCode.OVER_LIMIT_HELD);
    assertThat(retired.left()).isEqualTo(amount(50_000));
    old.claimWithSurplus(WalletBench.ACCOUNT);
    assertRest(old.retire(fresh.address()), 20_000);
  }

  @Test
  void aMintUnderWayIsMovedOnceItIsApproved() {
    Wallet old = bench.funded("old", 100);
    old.requestMint("funding of the old wallet", "token", amount(40));
    Retirement retired = old.retire(fresh.address());
    assertThat(retired.moved()).isEqualTo(amount(100));
    assertThat(retired.openMints()).isEqualTo(1);
    assertThat(retired.complete()).isFalse();
    bench.gateway.mint.approveAll();
    assertRest(old.retire(fresh.address()), 40);
  }

  @Test
  void whatIsPaidToTheOldAddressAfterwardsIsMovedToo() {
    Wallet old = bench.funded("old", 100);
    Wallet payer = bench.funded("payer", 100);
    old.retire(fresh.address());
    payer.pay(old.address(), amount(30), "to the old address");
    assertRest(old.retire(fresh.address()), 30);
  }

  @Test
  void itsOwnAddressIsRefusedAndNothingMoves() {
    Wallet old = bench.funded("old", 100);
    refused(RejectionCode.MALFORMED_REQUEST, () -> old.retire(old.address()));
    assertThat(old.balance().total()).isEqualTo(amount(100));
  }

  @Test
  void aWalletOfAnUnregulatedNetworkMovesAllItsCoinsAtOnce() {
    try (WalletBench free = new WalletBench(folder, TestNetwork.unregulated())) {
      Wallet old = free.create("of an unregulated network");
      free.fund(old, 100, 50, 25, 12, 6);
      Wallet next = free.create("next of an unregulated network");
      Retirement retired = old.retire(next.address());
      assertThat(retired.payments()).hasSize(1);
      assertRest(retired, 193);
      next.receive();
      assertThat(next.balance().total()).isEqualTo(amount(193));
      assertThat(old.balance()).isEqualTo(nothing());
    }
  }
}
