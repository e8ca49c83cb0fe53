package io.solidus.authority.spend.simulation;

import io.solidus.protocol.TxCore;

/**
 * A simulated partial signature. Only a {@link Share} makes one, so every instance comes from the
 * holder of the share.
 */
final class SimulatedPartial {

  /** The key share of one authority in one epoch; a refresh of the shares begins the next. */
  static final class Share {
    private final int authority;
    private final int epoch;

    Share(int authority, int epoch) {
      this.authority = authority;
      this.epoch = epoch;
    }

    SimulatedPartial sign(Transfer transfer) {
      return new SimulatedPartial(
          authority, epoch, transfer.core(), points(authority, epoch, transfer));
    }
  }

  private final int authority;
  private final int epoch;
  private final TxCore core;
  private final long points;

  private SimulatedPartial(int authority, int epoch, TxCore core, long points) {
    this.authority = authority;
    this.epoch = epoch;
    this.core = core;
    this.points = points;
  }

  int authority() {
    return authority;
  }

  int epoch() {
    return epoch;
  }

  TxCore core() {
    return core;
  }

  boolean verifies(int signer, Transfer transfer) {
    return authority == signer
        && core.equals(transfer.core())
        && points == points(signer, epoch, transfer);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SimulatedPartial that
        && authority == that.authority
        && epoch == that.epoch
        && points == that.points
        && core.equals(that.core);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(points);
  }

  private static long points(int authority, int epoch, Transfer transfer) {
    return SeededRandom.mix(authority * 1_000_003L ^ epoch * 7_919L ^ transfer.core().hashCode());
  }
}
