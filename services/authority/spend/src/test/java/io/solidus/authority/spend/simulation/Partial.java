package io.solidus.authority.spend.simulation;

import io.solidus.protocol.TxCore;

/**
 * A stand-in partial signature. Only a {@link Share} makes one, so whoever holds one has it from
 * the share's holder.
 */
final class Partial {

  /** The key share of one authority. */
  static final class Share {
    private final int authority;

    Share(int authority) {
      this.authority = authority;
    }

    Partial sign(Transfer transfer) {
      return new Partial(authority, transfer.core(), points(authority, transfer));
    }
  }

  private final int authority;
  private final TxCore core;
  private final long points;

  private Partial(int authority, TxCore core, long points) {
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
    return other instanceof Partial that
        && authority == that.authority
        && points == that.points
        && core.equals(that.core);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(points);
  }

  private static long points(int authority, Transfer transfer) {
    return Dice.mix(authority * 1_000_003L ^ transfer.core().hashCode());
  }
}
