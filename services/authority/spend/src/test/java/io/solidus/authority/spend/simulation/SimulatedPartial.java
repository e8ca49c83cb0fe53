package io.solidus.authority.spend.simulation;

import io.solidus.protocol.TxCore;

/**
 * A simulated partial signature. Only a {@link Share} makes one, so every instance comes from the
 * holder of the share.
 */
final class SimulatedPartial {

  /** The key share of one authority. */
  static final class Share {
    private final int authority;

    Share(int authority) {
      this.authority = authority;
    }

    SimulatedPartial sign(Transfer transfer) {
      return new SimulatedPartial(authority, transfer.core(), points(authority, transfer));
    }
  }

  private final int authority;
  private final TxCore core;
  private final long points;

  private SimulatedPartial(int authority, TxCore core, long points) {
    this.authority = authority;
    this.core = core;
    this.points = points;
  }

  int authority() {
    return authority;
  }

  TxCore core() {
    return core;
  }

  boolean verifies(int signer, Transfer transfer) {
    return authority == signer
        && core.equals(transfer.core())
        && points == points(signer, transfer);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SimulatedPartial that
        && authority == that.authority
        && points == that.points
        && core.equals(that.core);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(points);
  }

  private static long points(int authority, Transfer transfer) {
    return SeededRandom.mix(authority * 1_000_003L ^ transfer.core().hashCode());
  }
}
