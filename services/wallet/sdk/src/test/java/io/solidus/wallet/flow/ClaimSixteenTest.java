package io.solidus.wallet.flow;

import static io.solidus.wallet.flow.WalletBench.amount;
import static io.solidus.wallet.flow.WalletBench.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Family;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TransferRequest;
import io.solidus.wallet.Payment;
import io.solidus.wallet.Wallet;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.session.RecoverService.Recovered;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A wallet in a network with claims of 16. */
@Tag("process")
@Spec({"W-48", "W-49"})
class ClaimSixteenTest {
  @TempDir private Path folder;
  private final String words = WalletBench.newPhrase();
  private WalletBench bench;

  @BeforeEach
  void open() {
    bench = new WalletBench(folder, TestNetwork.withShapes());
    bench.options = bench.options.withOnlyDevice();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private TransferRequest last() {
    return bench.gateway.transfers.getLast();
  }

  private Family lastFamily() {
    return last().statement().family();
  }

  private static long[] coins(int count) {
    return LongStream.range(0, count).map(i -> 100 + i).toArray();
  }

  private static Amount sum(int count) {
    return amount(LongStream.of(coins(count)).sum());
  }

  /** A shop is paid six times, and takes everything with one real proof. */
  @Test
  void sixPaymentsAreClaimedWithOneProof() {
    Wallet payer = bench.funded("payer", 3_000);
    payer.claim();
    Wallet shop = bench.registered("shop");
    for (int i = 0; i < 6; i++) {
      payer.pay(shop.address(), amount(100 + i), "order " + i);
    }
    assertThat(shop.receive()).hasSize(6);
    bench.closeWallet(shop);
    bench.useRealProofs();
    shop = bench.reopen("shop");
    int before = bench.gateway.transfers.size();
    Payment claim = shop.claim().orElseThrow();
    assertThat(claim.claimedCoins()).isEqualTo(6);
    assertThat(claim.claimed()).isEqualTo(sum(6));
    assertThat(bench.gateway.transfers).hasSize(before + 1);
    assertThat(lastFamily()).isEqualTo(Family.CLAIM_16);
    assertThat(shop.balance().held()).isEqualTo(sum(6));
    assertThat(shop.balance().unclaimedCoins()).isZero();
    assertThat(shop.limits().transfersLeft())
        .as("a claim counts once")
        .isEqualTo(payer.limits().transfersLeft() + 6);
    shop.pay(payer.address(), amount(600), "rent");
    assertThat(lastFamily()).isEqualTo(Family.TRANSFER);
    assertThat(payer.receive()).hasSize(1);
  }

  /** The attack: one authority shows a claim as a transfer of another family. */
  @ParameterizedTest
  @ValueSource(ints = {4, 6})
  @Spec("W-08")
  void aTransferThatIsShownAsOneOfAnotherFamilyStopsNoRestore(int coins) {
    Wallet shop = bench.funded("shop", words, coins(coins));
    Amount held = shop.claim().orElseThrow().claimed();
    bench.closeWallet(shop);
    Family other = coins == 6 ? Family.TRANSFER : Family.CLAIM_16;
    assertThat(lastFamily()).isNotEqualTo(other);
    bench.gateway.faults.lookUps.put(
        1, (lead, truth) -> truth.map(request -> ForeignTransfers.as(other, request)));
    Wallet again = bench.toRestore("again", words);
    assertThat(again.restore().transfers()).isEqualTo(1);
    assertThat(again.balance().held()).isEqualTo(held);
  }

  @Test
  void fourCoinsAreClaimedAsBefore() {
    Wallet shop = bench.funded("shop", coins(4));
    assertThat(shop.claim().orElseThrow().claimedCoins()).isEqualTo(2);
    assertThat(lastFamily()).isEqualTo(Family.TRANSFER);
    assertThat(bench.gateway.routes).contains("GET /v1/capabilities");
  }

  /**
   * Two devices may know different coins, so that their claims overlap and a recover loses some.
   */
  @Test
  void withoutTheOwnersWordForItTwoCoinsAreClaimed() {
    bench.options = WalletBench.IMPATIENT;
    Wallet shop = bench.funded("shop", coins(6));
    assertThat(shop.claim().orElseThrow().claimedCoins()).isEqualTo(2);
    assertThat(lastFamily()).isEqualTo(Family.TRANSFER);
  }

  @Test
  void aGatewayWithoutTheShapeGetsOrdinaryTransfers() {
    bench.gateway.faults.withoutShapes = true;
    Wallet shop = bench.funded("shop", coins(6));
    assertThat(shop.claim().orElseThrow().claimedCoins()).isEqualTo(2);
    assertThat(lastFamily()).isEqualTo(Family.TRANSFER);
  }

  /** Attack: dust that arrives before a large coin. */
  @Test
  void dustInFrontDoesNotHideACoinThatPays() {
    Wallet bob = bench.registered("bob");
    Wallet shop =
        bench.funded(
            "shop",
            LongStream.concat(LongStream.generate(() -> 1).limit(16), LongStream.of(1_000))
                .toArray());
    Payment payment = shop.payWithSurplus(bob.address(), amount(500), "rent", WalletBench.ACCOUNT);
    assertThat(payment.paid()).isEqualTo(amount(500));
    assertThat(shop.balance().total()).isEqualTo(amount(516));
  }

  @Test
  void aPaymentAndAWithdrawalClaimManyToo() {
    Wallet bob = bench.registered("bob");
    Wallet shop = bench.funded("shop", coins(7));
    Payment payment = shop.pay(bob.address(), amount(650), "goods");
    assertThat(payment.claimsBefore()).isEmpty();
    assertThat(payment.claimedCoins()).isEqualTo(7);
    assertThat(lastFamily()).isEqualTo(Family.CLAIM_16);
    assertThat(bob.receive()).hasSize(1);
    assertThat(shop.balance().total()).isEqualTo(sum(7).minus(amount(650)));
    bench.fund(shop, coins(5));
    Payment withdrawal = shop.withdraw(amount(300), WalletBench.ACCOUNT);
    assertThat(withdrawal.redeemed()).isTrue();
    assertThat(lastFamily()).isEqualTo(Family.CLAIM_16);
  }

  @Test
  void aRestoredWalletHasWhatAClaimOfManyLeft() {
    Wallet shop = bench.funded("shop", words, coins(18));
    shop.claim();
    Wallet bob = bench.registered("bob");
    shop.pay(bob.address(), amount(50), "after");
    bench.closeWallet(shop);
    Wallet restored = bench.toRestore("restored", words);
    restored.restore();
    assertThat(restored.balance().total()).isEqualTo(sum(18).minus(amount(50)));
    assertThat(restored.history()).hasSameSizeAs(bench.reopen("shop").history());
    restored.pay(bob.address(), amount(60), "again");
    assertThat(bob.receive()).hasSize(2);
  }

  /** The request is on disk before it leaves; the same core is finished once. */
  @Test
  void aClaimWhoseAnswerWasLostIsFinishedOnce() {
    bench.options = WalletBench.IMPATIENT.withOnlyDevice();
    Wallet shop = bench.funded("shop", coins(8));
    bench.gateway.faults.lostReplies.set(1);
    refused(WalletError.TRANSFER_IN_FLIGHT, shop::claim);
    assertThat(shop.status().transferInFlight()).isTrue();
    bench.closeWallet(shop);
    shop = bench.reopen("shop");
    shop.settle();
    assertThat(shop.balance().held()).isEqualTo(sum(8));
    assertThat(bench.gateway.transfers.stream().map(TransferRequest::statement).distinct())
        .hasSize(1);
    assertThat(shop.claim()).isEmpty();
  }

  /**
   * Two devices claim at once, each at half of the authorities, and one knows more coins. Their
   * owner said of both that there is no other.
   */
  @Test
  @Spec({"W-10", "X-24"})
  void aRecoverOverTwoClaimsLosesNoCoin() {
    Wallet bob = bench.registered("bob");
    Wallet made = bench.funded("phone", words, coins(6));
    bench.closeWallet(made);
    bench.copy("phone", "laptop");
    Wallet phone = device("phone", bob);
    Wallet laptop = device("laptop", bob);
    bench.fund(laptop, 1_000, 2_000, 3_000);
    claimAt(phone, 1, 2);
    claimAt(laptop, 3, 4);
    assertThat(bench.gateway.transfers)
        .extracting(one -> one.statement().family())
        .containsOnly(Family.CLAIM_16);
    Recovered recovered = phone.recover();
    assertThat(recovered.recovers()).isEqualTo(1);
    assertThat(recovered.burnt()).isEqualTo(Amount.ZERO);
    assertThat(recovered.lost()).isEqualTo(Amount.ZERO);
    assertThat(phone.balance().total()).isEqualTo(sum(6).plus(amount(6_000)));
    phone.pay(bob.address(), amount(40), "after");
    assertThat(bob.receive()).hasSize(1);
    assertThat(laptop.recover().lost()).isEqualTo(Amount.ZERO);
    assertThat(laptop.balance().total()).isEqualTo(phone.balance().total());
  }

  /** Whose owner said that there is no other. */
  private Wallet device(String name, Wallet payee) {
    Wallet device = bench.reopen(name, WalletBench.IMPATIENT.withOnlyDevice());
    bench.haveAsked(device, payee);
    return device;
  }

  private void claimAt(Wallet device, Integer... authorities) {
    bench.gateway.faults.onTransfer = request -> bench.only(authorities);
    refused(RejectionCode.NO_QUORUM, device::claim);
    bench.gateway.faults.onTransfer = null;
    bench.only(1, 2, 3, 4);
  }
}
