package io.solidus.wallet.transfer;

import static io.solidus.wallet.Samples.coin;
import static io.solidus.wallet.Samples.compliance;
import static io.solidus.wallet.Samples.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.solidus.protocol.Amount;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.wallet.Samples;
import io.solidus.wallet.model.BulkLine;
import io.solidus.wallet.model.OwnedCoin;
import io.solidus.wallet.model.PaymentOrder;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

@Spec("W-52")
class BulkPlannerTest {
  private static final Policy POLICY = policy(1_000, 2_000, 5_000, 20);

  private static List<BulkLine> lines(long... amounts) {
    return IntStream.range(0, amounts.length)
        .mapToObj(i ->
            new BulkLine(
                i + 1,
                new PaymentOrder(Samples.address(3), new Amount(amounts[i]), "salary"),
                BulkLine.State.OPEN,
                null,
                0,
                false))
        .toList();
  }

  private static List<BulkLine> same(int count, long amount) {
    return lines(LongStream.generate(() -> amount).limit(count).toArray());
  }

  private static int transfers(
      ComplianceCoin cc, List<OwnedCoin> coins, List<BulkLine> lines, int width) {
    return BulkPlanner.transfers(cc, POLICY, coins, lines, CoinSelection.Claims.TWO, width);
  }

  private static void refused(RejectionCode code, ComplianceCoin cc, List<BulkLine> lines) {
    for (int width : new int[] {1, 8}) {
      assertThat(
              catchThrowableOfType(
                      ProtocolException.class, () -> transfers(cc, List.of(), lines, width))
                  .code())
          .isEqualTo(code);
    }
  }

  @Test
  @Spec("W-51")
  void fourAndMoreShareATransfer() {
    assertThat(IntStream.rangeClosed(1, 10).map(open -> BulkPlanner.next(open, 8)))
        .containsExactly(1, 1, 1, 4, 5, 6, 7, 8, 8, 8);
    assertThat(BulkPlanner.next(10, 1)).isEqualTo(1);
    assertThat(transfers(compliance(1_000, 0, 0), List.of(), same(12, 10), 8)).isEqualTo(2);
    assertThat(transfers(compliance(1_000, 0, 0), List.of(), same(11, 10), 8)).isEqualTo(4);
    assertThat(transfers(compliance(1_000, 0, 0), List.of(), same(11, 10), 1)).isEqualTo(11);
  }

  /** The attack: eight payments count as one, or each is held against the limit as one sum. */
  @Test
  void eachPaymentCountsAndIsHeldAgainstItsLimitAlone() {
    assertThat(transfers(compliance(5_000, 0, 0), List.of(), same(8, 200), 8)).isEqualTo(1);
    assertThat(transfers(compliance(5_000, 0, 4), List.of(), same(16, 10), 8)).isEqualTo(2);
    refused(RejectionCode.OVER_LIMIT_COUNT, compliance(5_000, 0, 5), same(16, 10));
    refused(RejectionCode.OVER_LIMIT_PERIOD, compliance(5_000, 0, 0), same(8, 251));
    refused(RejectionCode.OVER_LIMIT_PERIOD, compliance(5_000, 1_921, 0), same(8, 10));
    refused(RejectionCode.OVER_LIMIT_TRANSFER, compliance(5_000, 0, 0), lines(1, 1, 1, 1_001));
    refused(RejectionCode.INSUFFICIENT_FUNDS, compliance(79, 0, 0), same(8, 10));
  }

  @Test
  void theNumberOfPaymentsIsThatAfterTheTransfers() {
    ComplianceCoin cc = compliance(5_000, 0, 3);
    assertThat(LimitRules.countAfter(cc, POLICY.period(), List.of(new Amount(1), new Amount(1))))
        .isEqualTo(5);
    assertThat(LimitRules.countAfter(cc, POLICY.period(), List.of(Amount.ZERO))).isEqualTo(4);
  }

  /** Coins that the payments need are claimed first, and claims count. */
  @Test
  void claimsArePartOfThePlan() {
    List<OwnedCoin> coins = List.of(coin(100), coin(101), coin(102), coin(103));
    assertThat(transfers(compliance(0, 0, 0), coins, same(4, 100), 8)).isEqualTo(2);
    assertThat(transfers(compliance(0, 0, 15), coins, same(4, 100), 8)).isEqualTo(2);
    assertThat(
            catchThrowableOfType(
                    ProtocolException.class,
                    () -> transfers(compliance(0, 0, 16), coins, same(4, 100), 8))
                .code())
        .isEqualTo(RejectionCode.OVER_LIMIT_COUNT);
  }
}
