package io.solidus.operator.issuance.books;

/**
 * In minor units; issued - redeemed = outstanding, which is never negative.
 *
 * @param issuedMinor approved by two, in all time
 * @param redeemedMinor accepted for payout, in all time
 */
public record Supply(long issuedMinor, long redeemedMinor, long outstandingMinor) {
  static Supply of(long issuedMinor, long redeemedMinor) {
    return new Supply(issuedMinor, redeemedMinor, Math.subtractExact(issuedMinor, redeemedMinor));
  }
}
