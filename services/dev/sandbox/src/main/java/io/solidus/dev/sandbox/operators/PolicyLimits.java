package io.solidus.dev.sandbox.operators;

import java.time.YearMonth;
import java.time.ZoneOffset;

/** Limits of a policy, in minor units. */
public record PolicyLimits(
    int period,
    long maxPerTransferMinor,
    long maxPerPeriodMinor,
    long maxHeldMinor,
    long maxEscrowMinor,
    int maxTransfersPerPeriod,
    long mintCapPerDayMinor,
    long effectiveInSeconds,
    String reason) {
  /** Limits in the sandbox may fall far. */
  private static final String REASON = "the sandbox's limits";

  /** The sandbox's standard limits for the current month. */
  public static PolicyLimits standard() {
    YearMonth now = YearMonth.now(ZoneOffset.UTC);
    return new PolicyLimits(
        now.getYear() * 100 + now.getMonthValue(),
        100_000,
        170_000,
        300_000,
        0,
        100,
        1_000_000_000,
        0,
        REASON);
  }

  /** These limits with another limit per transfer. */
  public PolicyLimits withMaxPerTransfer(long minor) {
    return new PolicyLimits(
        period,
        minor,
        maxPerPeriodMinor,
        maxHeldMinor,
        maxEscrowMinor,
        maxTransfersPerPeriod,
        mintCapPerDayMinor,
        effectiveInSeconds,
        reason);
  }
}
