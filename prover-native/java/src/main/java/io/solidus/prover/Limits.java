package io.solidus.prover;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Policy;

/** The limits of a policy that a regulated transfer is proved against. */
public record Limits(
    Amount maxPerTransfer,
    Amount maxPerPeriod,
    Amount maxHeld,
    Amount maxEscrow,
    int maxTransfersPerPeriod) {
  /** Stands for the limits on a network that has none. */
  public static final Limits NONE =
      new Limits(Amount.ZERO, Amount.ZERO, Amount.ZERO, Amount.ZERO, 0);

  public Limits {
    if (maxTransfersPerPeriod < 0) {
      throw new IllegalArgumentException("a number of transfers is not negative");
    }
  }

  public static Limits of(Policy policy) {
    return new Limits(
        policy.maxPerTransfer(),
        policy.maxPerPeriod(),
        policy.maxHeld(),
        policy.maxEscrow(),
        policy.maxTransfersPerPeriod());
  }

  NativeRequest write(NativeRequest request) {
    return request
        .u64(maxPerTransfer.minor())
        .u64(maxPerPeriod.minor())
        .u64(maxHeld.minor())
        .u64(maxEscrow.minor())
        .u32(maxTransfersPerPeriod);
  }
}
