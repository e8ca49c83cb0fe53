package io.solidus.operator.issuance.books;

/**
 * The supply in minor units. Outstanding is issued minus redeemed and never negative.
 *
 * @param issuedMinor the sum of all mints with two approvals
 * @param redeemedMinor the sum of all accepted payouts
 */
public record Supply(long issuedMinor, long redeemedMinor, long outstandingMinor) {
  static Supply of(long issuedMinor, long redeemedMinor) {
    return new Supply(issuedMinor, redeemedMinor, Math.subtractExact(issuedMinor, redeemedMinor));
  }
}
