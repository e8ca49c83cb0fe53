package io.solidus.authority.signer;

/**
 * Estimates the cost of verifying a transfer in a batch when a share of the proofs is wrong,
 * independently of each other. The constants are fitted to the processor times that
 * WrongProofsBench prints on one busy machine; only their ratios matter.
 */
final class BisectionCost {

  private static final double MILLIS_ALONE = 7.0;
  private static final double MILLIS_PER_BATCH = 9.0;
  private static final double MILLIS_PER_PROOF = 1.2;

  private BisectionCost() {}

  /**
   * The cost of each transfer of a batch.
   *
   * @param size a power of two
   * @param share of wrong proofs, 0 to 1
   */
  static double millisEach(int size, double share) {
    double total = batch(size);
    for (int part = size / 2; part >= 1; part /= 2) {
      double wholeFails = 1 - Math.pow(1 - share, 2.0 * part);
      double firstFails = 1 - Math.pow(1 - share, part);
      // if the first half holds, the second one fails without a check, unless it has one transfer
      double verified = wholeFails + (part == 1 ? wholeFails : firstFails);
      total += (double) size / part / 2 * verified * batch(part);
    }
    return total / size;
  }

  private static double batch(int size) {
    return size == 1 ? MILLIS_ALONE : MILLIS_PER_BATCH + MILLIS_PER_PROOF * size;
  }
}
