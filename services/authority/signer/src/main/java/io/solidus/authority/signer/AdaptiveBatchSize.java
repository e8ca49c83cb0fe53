package io.solidus.authority.signer;

/**
 * Adapts the number of transfers in one native call to the share of wrong proofs. A batch with a
 * wrong proof is halved until the wrong proofs are found, which costs more than it saves when there
 * are many. So the size decreases with the share of wrong proofs among recent transfers, down to
 * single checks, and grows again when the share falls. Not thread-safe.
 *
 * <p>Specification: protocol section 5, batch verification.
 */
final class AdaptiveBatchSize {

  /** The weight of a verdict falls to 1/e after this many others. */
  private static final double MEMORY = 256;

  /**
   * The size changes only for an improvement of this factor, so that it does not change with every
   * verdict.
   */
  private static final double GAIN = 0.9;

  private final int limit;
  private double share;
  private int current;

  /**
   * Starts with an expected share.
   *
   * @param share of wrong proofs, 0 to 1
   */
  AdaptiveBatchSize(int limit, double share) {
    this.limit = limit;
    this.share = share;
    this.current = best(limit, share);
  }

  int current() {
    return current;
  }

  /** The share of wrong proofs among recent transfers, 0 to 1. */
  double share() {
    return share;
  }

  void learn(int verified, int wrong) {
    double kept = Math.exp(-verified / MEMORY);
    share = share * kept + (double) wrong / verified * (1 - kept);
    int best = best(limit, share);
    if (BisectionCost.millisEach(best, share) < GAIN * BisectionCost.millisEach(current, share)) {
      current = best;
    }
  }

  private static int best(int limit, double share) {
    int best = 1;
    for (int size = 2; size <= limit; size *= 2) {
      if (BisectionCost.millisEach(size, share) < BisectionCost.millisEach(best, share)) {
        best = size;
      }
    }
    return best;
  }
}
