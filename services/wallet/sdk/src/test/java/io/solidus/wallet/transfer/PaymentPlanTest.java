package io.solidus.wallet.transfer;

import static io.solidus.wallet.Samples.coin;
import static io.solidus.wallet.Samples.compliance;
import static io.solidus.wallet.Samples.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Amount;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Period;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.wallet.Samples;
import io.solidus.wallet.model.OwnedCoin;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PaymentPlanTest {
  private static final CoinSelection.Claims TWO = CoinSelection.Claims.TWO;
  private static final Policy POLICY = policy(1_000, 2_000, 5_000, 10);

  private static PaymentPlan planOfMany(ComplianceCoin cc, List<OwnedCoin> coins, long paid) {
    return PaymentPlan.of(
        cc, POLICY, coins, new Amount(paid), Amount.ZERO, CoinSelection.Claims.SIXTEEN);
  }

  private static List<OwnedCoin> coins(int count, long first) {
    return IntStream.range(0, count).mapToObj(i -> coin(first + i)).toList();
  }

  @Test
  @Spec("W-48")
  void claimsTheOldestOfFiveCoinsOrMoreWithOneProof() {
    List<OwnedCoin> twenty = coins(20, 10);
    assertThat(planOfMany(compliance(0, 0, 0), twenty, 100).inputs())
        .isEqualTo(twenty.subList(0, 16));
    assertThat(planOfMany(compliance(0, 0, 0), twenty, 100).claims()).isEmpty();
    assertThat(planOfMany(compliance(900, 0, 0), coins(5, 10), 1).inputs()).hasSize(5);
    assertThat(planOfMany(compliance(900, 0, 0), coins(4, 10), 1).inputs())
        .as("four are two transfers, as before")
        .containsExactlyInAnyOrder(coin(13), coin(12));
  }

  /** Two devices of which one knows more coins claim prefixes of one list. */
  @Test
  @Spec("W-48")
  void theClaimsOfTwoDevicesArePrefixes() {
    List<OwnedCoin> known = coins(9, 700);
    List<OwnedCoin> one = planOfMany(compliance(0, 0, 0), known.subList(0, 6), 1).inputs();
    List<OwnedCoin> other = planOfMany(compliance(0, 0, 0), known, 1).inputs();
    assertThat(other.subList(0, one.size())).isEqualTo(one);
  }

  /** 5,000 may be held: seven coins of 700 and one already held fit, the eighth does not. */
  @Test
  @Spec("W-48")
  void claimsAsManyOldCoinsAsTheHoldingLimitAllows() {
    List<OwnedCoin> coins = IntStream.range(0, 12).mapToObj(i -> coin(700)).toList();
    assertThat(planOfMany(compliance(100, 0, 0), coins, 1).inputs()).hasSize(7);
    assertThat(planOfMany(compliance(4_000, 0, 0), coins, 1).inputs())
        .as("fewer than three are an ordinary transfer")
        .hasSize(1);
  }

  @Test
  @Spec("W-48")
  void claimsSixteenBeforeAPaymentThatNeedsMore() {
    List<OwnedCoin> coins = coins(40, 20);
    PaymentPlan plan = planOfMany(compliance(0, 0, 0), coins, 600);
    assertThat(plan.claims()).extracting(List::size).containsExactly(16);
    assertThat(plan.inputs()).hasSize(16);
  }

  private static PaymentPlan plan(ComplianceCoin cc, List<OwnedCoin> coins, long paid) {
    return PaymentPlan.of(cc, POLICY, coins, new Amount(paid), Amount.ZERO, TWO);
  }

  private static void assertRefused(
      RejectionCode code, ComplianceCoin cc, Policy policy, List<OwnedCoin> coins, long paid) {
    ProtocolException refused =
        catchThrowableOfType(
            ProtocolException.class,
            () -> PaymentPlan.of(cc, policy, coins, new Amount(paid), Amount.ZERO, TWO));
    assertThat(refused).isNotNull();
    assertThat(refused.code()).isEqualTo(code);
  }

  @Test
  void claimsTwoCoinsEvenWhenTheBalanceSuffices() {
    PaymentPlan plan = plan(compliance(900, 0, 0), List.of(coin(10), coin(30), coin(20)), 100);
    assertThat(plan.claims()).isEmpty();
    assertThat(plan.inputs()).containsExactlyInAnyOrder(coin(30), coin(20));
  }

  @Test
  void needsNoCoins() {
    assertThat(plan(compliance(900, 0, 0), List.of(), 900).inputs()).isEmpty();
  }

  @Test
  void claimsFirstWhenTwoCoinsDoNotSuffice() {
    List<OwnedCoin> coins = List.of(coin(100), coin(110), coin(120), coin(130), coin(140));
    PaymentPlan plan = plan(compliance(0, 0, 0), coins, 500);
    assertThat(plan.claims()).containsExactly(List.of(coin(140), coin(130)));
    assertThat(plan.inputs()).containsExactlyInAnyOrder(coin(120), coin(110));
  }

  @Test
  void omitsACoinThatWouldExceedTheHoldingLimit() {
    PaymentPlan plan = plan(compliance(4_900, 0, 0), List.of(coin(500), coin(90)), 10);
    assertThat(plan.inputs()).containsExactly(coin(90));
  }

  @Test
  void aBalanceAboveALoweredLimitMayShrink() {
    Policy lowered = policy(1_000, 2_000, 100, 10);
    PaymentPlan plan =
        PaymentPlan.of(
            compliance(900, 0, 0), lowered, List.of(coin(5)), new Amount(50), Amount.ZERO, TWO);
    assertThat(plan.inputs()).containsExactly(coin(5));
  }

  @Test
  void namesTheLimitThatRefuses() {
    assertRefused(
        RejectionCode.OVER_LIMIT_TRANSFER, compliance(5_000, 0, 0), POLICY, List.of(), 1_001);
    assertRefused(
        RejectionCode.OVER_LIMIT_PERIOD, compliance(5_000, 1_500, 0), POLICY, List.of(), 501);
    assertRefused(RejectionCode.OVER_LIMIT_COUNT, compliance(5_000, 0, 10), POLICY, List.of(), 1);
    assertRefused(
        RejectionCode.INSUFFICIENT_FUNDS, compliance(5, 0, 0), POLICY, List.of(coin(4)), 10);
    assertRefused(
        RejectionCode.OVER_LIMIT_HELD,
        compliance(0, 0, 0),
        policy(1_000, 2_000, 100, 10),
        List.of(coin(500)),
        50);
  }

  @Test
  void claimsCountAgainstTheNumberOfTransfers() {
    List<OwnedCoin> coins = List.of(coin(100), coin(110), coin(120), coin(130));
    assertRefused(RejectionCode.OVER_LIMIT_COUNT, compliance(0, 0, 9), POLICY, coins, 400);
  }

  @Test
  void aNewPeriodStartsFromZero() {
    ComplianceCoin cc = compliance(5_000, 2_000, 10);
    Policy next =
        new Policy(
            2,
            new Period(202612),
            POLICY.maxPerTransfer(),
            POLICY.maxPerPeriod(),
            POLICY.maxHeld(),
            POLICY.maxEscrow(),
            10,
            new Amount(1),
            0);
    assertThat(PaymentPlan.of(cc, next, List.of(), new Amount(1_000), Amount.ZERO, TWO).claims())
        .isEmpty();
  }

  @Test
  void refusesAnEarlierPeriod() {
    Policy earlier =
        new Policy(
            2,
            new Period(202610),
            POLICY.maxPerTransfer(),
            POLICY.maxPerPeriod(),
            POLICY.maxHeld(),
            POLICY.maxEscrow(),
            10,
            new Amount(1),
            0);
    assertRefused(RejectionCode.STALE_PERIOD, compliance(5_000, 0, 0), earlier, List.of(), 1);
  }

  @Test
  void handlesVeryManyCoins() {
    List<OwnedCoin> coins = IntStream.rangeClosed(1, 300).mapToObj(Samples::coin).toList();
    PaymentPlan plan = plan(compliance(0, 0, 0), coins, 590);
    assertThat(plan.inputs()).containsExactlyInAnyOrder(coin(300), coin(299));
  }
}
