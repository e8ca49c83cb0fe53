package io.solidus.dev.sandbox.demo;

/**
 * Conservation of money over one run, in minor units: issued - redeemed = outstanding = the money
 * in the run's wallets and what recovers burnt, which is issued and in no wallet.
 */
public record SupplyReport(
    long issuedMinor,
    long redeemedMinor,
    long outstandingMinor,
    long burntMinor,
    long walletsMinor) {
  public boolean balances() {
    return issuedMinor - redeemedMinor == outstandingMinor
        && outstandingMinor == walletsMinor + burntMinor;
  }
}
