package io.solidus.wallet.transfer;

import io.solidus.protocol.Amount;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.Spec;
import io.solidus.wallet.model.BulkLine;
import io.solidus.wallet.model.OwnedCoin;
import java.util.ArrayList;
import java.util.List;

/**
 * Plans the payments of a whole list, before the first proof is made: which lines one transfer
 * pays, and whether limits and balance suffice for all of them.
 */
public final class BulkPlanner {
  /** From so many payments on, one proof for several takes less time than one for each. */
  public static final int MANY = 4;

  private BulkPlanner() {}

  /**
   * How many of the open lines the next transfer pays.
   *
   * @param open more than zero
   * @param width the most payees of one transfer
   */
  public static int next(int open, int width) {
    return width == 1 || open < MANY ? 1 : Math.min(open, width);
  }

  /**
   * The number of transfers that these lines take, claims included.
   *
   * @param most what a claim may claim
   * @param width the most payees of one transfer
   * @throws ProtocolException over-limit-transfer, over-limit-period, over-limit-count,
   *     over-limit-held or insufficient-funds, when the payments cannot all be made now
   */
  @Spec("W-52")
  public static int transfers(
      ComplianceCoin start,
      Policy policy,
      List<OwnedCoin> received,
      List<BulkLine> lines,
      CoinSelection.Claims most,
      int width) {
    requireEach(policy, lines);
    List<Amount> amounts = lines.stream().map(line -> line.order().amount()).toList();
    LimitRules.requireWithinLimits(start, policy, policy.period(), amounts);
    List<OwnedCoin> coins = new ArrayList<>(received);
    ComplianceCoin cc = start;
    int transfers = 0;
    int done = 0;
    while (done < amounts.size()) {
      int count = next(amounts.size() - done, width);
      List<Amount> group = amounts.subList(done, done + count);
      PaymentPlan plan =
          PaymentPlan.of(
              cc,
              policy,
              coins,
              group,
              Amount.ZERO,
              most,
              count == 1 ? most : CoinSelection.Claims.TWO);
      transfers += plan.claims().size() + 1;
      cc = plan.end(cc, policy, group);
      plan.claims().forEach(coins::removeAll);
      coins.removeAll(plan.inputs());
      done += count;
    }
    return transfers;
  }

  private static void requireEach(Policy policy, List<BulkLine> lines) {
    for (BulkLine line : lines) {
      if (line.order().amount().compareTo(policy.maxPerTransfer()) > 0) {
        throw new ProtocolException(
            RejectionCode.OVER_LIMIT_TRANSFER,
            "payment "
                + line.number()
                + " of the list is above the limit for one payment, "
                + policy.maxPerTransfer().minor()
                + " minor units");
      }
    }
  }
}
