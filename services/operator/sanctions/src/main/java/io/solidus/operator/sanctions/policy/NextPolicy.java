package io.solidus.operator.sanctions.policy;

import io.solidus.operator.sanctions.approval.ProposalRefusedException;
import io.solidus.operator.sanctions.approval.WrittenReason;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Period;
import io.solidus.protocol.Policy;
import io.solidus.protocol.ProtocolException;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * The policy that a proposal becomes. Checked when it is proposed and again when it is approved.
 *
 * <p>A policy that is published but not yet in force can be corrected: of two policies the newer is
 * in force as soon as it takes effect, so a correction that takes effect no later replaces it.
 */
@Component
class NextPolicy {
  /** How far a period may be from the month of the clock. */
  private static final long MAX_MONTHS = 1;

  /**
   * A limit below this part of the one in force stops the network as zero does, under another name.
   */
  private static final long FALL = 10;

  private final PolicyStore store;

  NextPolicy(PolicyStore store) {
    this.store = store;
  }

  /**
   * The next version of the policy.
   *
   * @throws ProposalRefusedException period-out-of-range when the period is more than a month from
   *     the clock; policy-would-halt when a limit is zero; policy-needs-reason when a limit falls
   *     below a tenth of the one in force and nobody says why; network-halted during a halt
   * @throws ProtocolException malformed-request when a value is missing or out of range, or the
   *     period is before that of a policy that comes into force earlier
   */
  Policy of(PolicyLimits limits, Instant approvedAt) {
    Policy next = limits.toPolicy(version(), approvedAt);
    YearMonth now = month(approvedAt);
    YearMonth period = month(next.period());
    if (Math.abs(ChronoUnit.MONTHS.between(now, period)) > MAX_MONTHS) {
      throw new ProposalRefusedException(
          400,
          "period-out-of-range",
          "the period may be " + now.minusMonths(MAX_MONTHS) + " to " + now.plusMonths(MAX_MONTHS));
    }
    if (next.maxPerTransfer().isZero()
        || next.maxPerPeriod().isZero()
        || next.maxHeld().isZero()
        || next.maxTransfersPerPeriod() == 0
        || next.mintCapPerDay().isZero()) {
      throw new ProposalRefusedException(
          400, "policy-would-halt", "a limit of zero stops the network; propose a halt instead");
    }
    if (store.halted()) {
      throw new ProposalRefusedException(
          409, "network-halted", "the network is halted; propose the lifting of the halt first");
    }
    List<String> falls = falls(next, approvedAt);
    if (limits.reason() != null) {
      WrittenReason.require(limits.reason(), "reason");
    } else if (!falls.isEmpty()) {
      throw new ProposalRefusedException(
          400,
          "policy-needs-reason",
          "limits fall below a tenth of those in force ("
              + String.join(", ", falls)
              + "), which stops the network or much of it; say why in 'reason', or propose a halt");
    }
    int earlier = store.latestPeriodBefore(next.effectiveAtMillis(), approvedAt);
    if (next.period().yyyymm() < earlier) {
      throw ProtocolException.malformed(
          "the period is before that of a policy that comes into force earlier");
    }
    return next;
  }

  /** The limits that fall below a tenth of those in force, each with both values. */
  List<String> falls(Policy next, Instant at) {
    Policy before = store.inForceWithoutHalts(at).map(PublishedPolicy::policy).orElse(null);
    if (before == null) {
      return List.of();
    }
    List<String> falls = new ArrayList<>();
    note(
        falls,
        "maxPerTransferMinor",
        before.maxPerTransfer().minor(),
        next.maxPerTransfer().minor());
    note(falls, "maxPerPeriodMinor", before.maxPerPeriod().minor(), next.maxPerPeriod().minor());
    note(falls, "maxHeldMinor", before.maxHeld().minor(), next.maxHeld().minor());
    note(
        falls,
        "maxTransfersPerPeriod",
        before.maxTransfersPerPeriod(),
        next.maxTransfersPerPeriod());
    note(falls, "mintCapPerDayMinor", before.mintCapPerDay().minor(), next.mintCapPerDay().minor());
    return falls;
  }

  private static void note(List<String> falls, String limit, long before, long next) {
    // divided, because a product could overflow
    if (next < before / FALL) {
      falls.add(limit + " from " + before + " to " + next);
    }
  }

  /**
   * The policy in force with zeros in place of the limits that a payment and a mint need.
   *
   * @throws ProposalRefusedException network-halted when it is halted already
   * @throws ProtocolException not-found when no policy is in force
   */
  Policy halt(Halt halt, Instant approvedAt) {
    long effectiveAt = approvedAt.toEpochMilli() + halt.delayMillis();
    if (store.halted()) {
      throw new ProposalRefusedException(409, "network-halted", "the network is halted already");
    }
    Policy inForce =
        store
            .inForce(Instant.ofEpochMilli(effectiveAt))
            .orElseThrow(PolicyStore::notFound)
            .policy();
    return new Policy(
        version(),
        inForce.period(),
        Amount.ZERO,
        inForce.maxPerPeriod(),
        inForce.maxHeld(),
        inForce.maxEscrow(),
        0,
        Amount.ZERO,
        effectiveAt);
  }

  /**
   * The policy that was in force before the halt, for the present month.
   *
   * @throws ProposalRefusedException not-halted when there is no halt
   */
  Policy lifting(Instant approvedAt) {
    if (!store.halted()) {
      throw new ProposalRefusedException(409, "not-halted", "the network is not halted");
    }
    Policy halt = store.newest().orElseThrow(PolicyStore::notFound).policy();
    Policy before =
        store.inForceWithoutHalts(approvedAt).orElseThrow(PolicyStore::notFound).policy();
    Period present = period(month(approvedAt));
    return new Policy(
        version(),
        present.compareTo(halt.period()) > 0 ? present : halt.period(),
        before.maxPerTransfer(),
        before.maxPerPeriod(),
        before.maxHeld(),
        before.maxEscrow(),
        before.maxTransfersPerPeriod(),
        before.mintCapPerDay(),
        approvedAt.toEpochMilli());
  }

  private long version() {
    return store.newest().map(newest -> newest.policy().version()).orElse(0L) + 1;
  }

  static YearMonth month(Instant at) {
    return YearMonth.from(at.atZone(ZoneOffset.UTC));
  }

  static YearMonth month(Period period) {
    return YearMonth.of(period.yyyymm() / 100, period.yyyymm() % 100);
  }

  static Period period(YearMonth month) {
    return new Period(month.getYear() * 100 + month.getMonthValue());
  }
}
