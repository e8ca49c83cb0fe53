package io.solidus.wallet.transfer;

import io.solidus.protocol.Amount;
import io.solidus.protocol.ComplianceCoin;
import io.solidus.protocol.Period;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.Comparator;
import java.util.List;

/**
 * The limits of the transfer circuit, checked before proving, so that the refusal names the limit.
 * The circuit enforces the limits; security does not depend on these checks.
 */
public final class LimitRules {
  private LimitRules() {}

  /**
   * Checks the limits on payments.
   *
   * @param period of the transfer: the policy's, or the previous one while it is still accepted
   * @throws ProtocolException over-limit-transfer, over-limit-period, over-limit-count or
   *     stale-period
   */
  public static void requireWithinLimits(
      ComplianceCoin cc, Policy policy, Period period, Amount paid) {
    requireWithinLimits(cc, policy, period, List.of(paid));
  }

  /**
   * Checks the limits on the payments of one transfer: each alone, their sum, and their number. The
   * transfer counts once, and once more for each payment after the first.
   *
   * @param payments an amount of zero is none
   * @throws ProtocolException as for one payment
   */
  public static void requireWithinLimits(
      ComplianceCoin cc, Policy policy, Period period, List<Amount> payments) {
    Amount largest = payments.stream().max(Comparator.naturalOrder()).orElse(Amount.ZERO);
    Amount paid = payments.stream().reduce(Amount.ZERO, Amount::plus);
    if (cc.period().compareTo(period) > 0) {
      throw new ProtocolException(
          RejectionCode.STALE_PERIOD, "the period is before that of the wallet's last transfer");
    }
    if (largest.compareTo(policy.maxPerTransfer()) > 0) {
      throw new ProtocolException(
          RejectionCode.OVER_LIMIT_TRANSFER,
          "the amount is above the limit for one transfer, "
              + policy.maxPerTransfer().minor()
              + " minor units");
    }
    if (sentAfter(cc, period, paid).compareTo(policy.maxPerPeriod()) > 0) {
      throw new ProtocolException(
          RejectionCode.OVER_LIMIT_PERIOD,
          "the amount is above what is left of the period's limit: "
              + sentAfter(cc, period, Amount.ZERO).minor()
              + " of "
              + policy.maxPerPeriod().minor()
              + " minor units are used");
    }
    if (countAfter(cc, period, payments) > policy.maxTransfersPerPeriod()) {
      throw new ProtocolException(
          RejectionCode.OVER_LIMIT_COUNT,
          "the number of transfers in this period, "
              + policy.maxTransfersPerPeriod()
              + ", does not suffice: "
              + (countAfter(cc, period) - 1)
              + " were made, and "
              + (countAfter(cc, period, payments) - countAfter(cc, period) + 1)
              + " are asked for");
    }
  }

  /**
   * Checks the holding limit.
   *
   * @throws ProtocolException over-limit-held
   */
  public static void requireMayHold(ComplianceCoin cc, Policy policy, Amount heldAfter) {
    if (!mayHold(cc, policy, heldAfter.minor())) {
      throw new ProtocolException(
          RejectionCode.OVER_LIMIT_HELD,
          "the balance after the transfer is above the limit for holding, "
              + policy.maxHeld().minor()
              + " minor units");
    }
  }

  public static Amount sentAfter(ComplianceCoin cc, Period period, Amount paid) {
    return cc.period().equals(period) ? cc.sent().plus(paid) : paid;
  }

  public static int countAfter(ComplianceCoin cc, Period period) {
    return cc.period().equals(period) ? Math.addExact(cc.count(), 1) : 1;
  }

  /** As {@link #countAfter(ComplianceCoin, Period)}, of a transfer with these payments. */
  public static int countAfter(ComplianceCoin cc, Period period, List<Amount> payments) {
    int paid = (int) payments.stream().filter(payment -> !payment.isZero()).count();
    return Math.addExact(countAfter(cc, period), Math.max(0, paid - 1));
  }

  /** Whether a balance is within the holding limit, or not higher than before the transfer. */
  static boolean mayHold(ComplianceCoin cc, Policy policy, long heldAfterMinor) {
    return heldAfterMinor >= 0
        && (heldAfterMinor <= policy.maxHeld().minor() || heldAfterMinor <= cc.held().minor());
  }
}
