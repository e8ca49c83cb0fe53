package io.solidus.wallet;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Period;

/**
 * The limits of the policy in force, and what the wallet's finished transfers have used of them. A
 * transfer in flight counts once it is finished.
 *
 * @param period the month that the limits are for
 * @param perTransfer the most that one payment may be
 * @param perPeriod the most that may be paid in the period
 * @param sent what was paid in the period
 * @param transfersPerPeriod how many transfers the period may have; claims and withdrawals count
 *     too
 * @param transfers how many the period has
 * @param maxHeld the most that may be held after a transfer
 * @param held what is held now; unclaimed coins are outside this limit
 */
public record Limits(
    Period period,
    Amount perTransfer,
    Amount perPeriod,
    Amount sent,
    int transfersPerPeriod,
    int transfers,
    Amount maxHeld,
    Amount held) {
  /** What may still be paid in the period. */
  public Amount left() {
    return difference(perPeriod, sent);
  }

  /** How many transfers are left in the period. */
  public int transfersLeft() {
    return Math.max(0, transfersPerPeriod - transfers);
  }

  /** How much more may be held. */
  public Amount roomToHold() {
    return difference(maxHeld, held);
  }

  /** The most that one payment may be now, by the limits; the balance may be less. */
  public Amount largestPayment() {
    if (transfersLeft() == 0) {
      return Amount.ZERO;
    }
    return perTransfer.compareTo(left()) < 0 ? perTransfer : left();
  }

  private static Amount difference(Amount limit, Amount used) {
    return used.compareTo(limit) > 0 ? Amount.ZERO : limit.minus(used);
  }
}
