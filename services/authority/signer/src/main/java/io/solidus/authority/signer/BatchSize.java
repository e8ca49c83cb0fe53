package io.solidus.authority.signer;

/**
 * How many transfers go into one native call. A batch that holds a wrong proof is halved until the
 * culprits are known, which costs more than it saves when there are many: so the size follows the
 * share of wrong proofs among the recent ones, down to single checks, and grows again when the
 * share falls. Not safe for concurrent use.
 *
 * <p>Specification: protocol section 5, batch verification.
 */
final class BatchSize {

  /** The recent ones: a verdict weighs 1/e after as many others. */
  private static final double MEMORY = 256;

  /** Another size has to be better by this much, or the size would swing with every verdict. */
  private static final double GAIN = 0.9;

  private final int limit;
  private double share;
  private int current;

  /**
   * @param share of wrong proofs to expect before any was seen
   */
  BatchSize(int limit, double share) {
    this.limit = limit;
    this.share = share;
    this.current = best(limit, share);
  }

  int current() {
    return current;
  }

  /** The share of wrong proofs among the recent ones, 0 to 1. */
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
