package io.solidus.operator.sanctions.policy;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Period;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import io.solidus.wire.json.Member;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a proposed policy. The approval determines its version and effective time. Amounts
 * are in minor units.
 *
 * @param period yyyymm
 * @param maxPerTransferMinor the most that one transfer pays
 * @param maxPerPeriodMinor the most that one holder pays in a period
 * @param maxHeldMinor the most that one holder may hold
 * @param maxEscrowMinor the most that one escrow may hold; 0, which allows none, when missing
 * @param maxTransfersPerPeriod the most transfers of one holder in a period
 * @param mintCapPerDayMinor the most that may be minted in a UTC day
 * @param effectiveInSeconds delay after the approval; 0 when missing
 * @param effectiveAtMillis Unix time, in place of the delay; a policy that is approved later takes
 *     effect at its approval
 * @param reason 1 to 2000 characters: why limits fall far below those in force; may be missing
 *     otherwise
 */
public record PolicyLimits(
    @Member(min = 2000_01, max = 9999_12) @Nullable Integer period,
    @Member(min = 0, max = MAX_MINOR) @Nullable Long maxPerTransferMinor,
    @Member(min = 0, max = MAX_MINOR) @Nullable Long maxPerPeriodMinor,
    @Member(min = 0, max = MAX_MINOR) @Nullable Long maxHeldMinor,
    @Member(optional = true, min = 0, max = MAX_MINOR) @Nullable Long maxEscrowMinor,
    @Member(min = 0) @Nullable Integer maxTransfersPerPeriod,
    @Member(min = 0, max = MAX_MINOR) @Nullable Long mintCapPerDayMinor,
    @Member(optional = true, min = 0, max = MAX_DELAY_SECONDS) @Nullable Long effectiveInSeconds,
    @Nullable Long effectiveAtMillis,
    @Member(optional = true, min = 1, max = 2000) @Nullable String reason) {
  private static final long MAX_DELAY_SECONDS = 31L * 24 * 3600;

  /** The largest whole number that every reader of JSON reads exactly. */
  private static final long MAX_MINOR = (1L << 53) - 1;

  /** The same limits for a month, from a time on. */
  static PolicyLimits of(Policy policy, Period period, long effectiveAtMillis) {
    return new PolicyLimits(
        period.yyyymm(),
        policy.maxPerTransfer().minor(),
        policy.maxPerPeriod().minor(),
        policy.maxHeld().minor(),
        policy.maxEscrow().minor(),
        policy.maxTransfersPerPeriod(),
        policy.mintCapPerDay().minor(),
        null,
        effectiveAtMillis,
        null);
  }

  /**
   * The policy with these limits.
   *
   * @throws ProtocolException malformed-request when a value is missing or out of range
   */
  Policy toPolicy(long version, Instant approvedAt) {
    return new Policy(
        version,
        validPeriod(),
        amount(maxPerTransferMinor, "maxPerTransferMinor"),
        amount(maxPerPeriodMinor, "maxPerPeriodMinor"),
        amount(maxHeldMinor, "maxHeldMinor"),
        maxEscrowMinor == null ? Amount.ZERO : amount(maxEscrowMinor, "maxEscrowMinor"),
        required(maxTransfersPerPeriod, "maxTransfersPerPeriod"),
        amount(mintCapPerDayMinor, "mintCapPerDayMinor"),
        effectiveAt(approvedAt.toEpochMilli()));
  }

  private Period validPeriod() {
    int yyyymm = required(period, "period");
    int month = yyyymm % 100;
    if (yyyymm < 2000_00 || yyyymm > 9999_12 || month < 1 || month > 12) {
      throw ProtocolException.malformed("period must be a year and a month, yyyymm");
    }
    return new Period(yyyymm);
  }

  private long effectiveAt(long approvedAt) {
    if (effectiveAtMillis == null) {
      return approvedAt + delaySeconds() * 1000;
    }
    if (effectiveInSeconds != null || effectiveAtMillis > approvedAt + MAX_DELAY_SECONDS * 1000) {
      throw ProtocolException.malformed(
          "effectiveAtMillis excludes effectiveInSeconds and may be "
              + MAX_DELAY_SECONDS
              + " seconds ahead");
    }
    return Math.max(approvedAt, effectiveAtMillis);
  }

  private long delaySeconds() {
    long seconds = effectiveInSeconds == null ? 0 : effectiveInSeconds;
    if (seconds < 0 || seconds > MAX_DELAY_SECONDS) {
      throw ProtocolException.malformed(
          "effectiveInSeconds must be between 0 and " + MAX_DELAY_SECONDS);
    }
    return seconds;
  }

  private static Amount amount(@Nullable Long minor, String field) {
    long value = required(minor, field);
    if (value > MAX_MINOR) {
      throw ProtocolException.malformed(field + " may be at most " + MAX_MINOR);
    }
    return new Amount(value);
  }

  private static <T> T required(@Nullable T value, String field) {
    if (value == null) {
      throw ProtocolException.malformed("the field '" + field + "' is missing");
    }
    return value;
  }
}
