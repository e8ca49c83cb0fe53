package io.solidus.authority.signer;

/**
 * What a transfer costs to verify in a batch when a share of the proofs is wrong, each
 * independently of the others. The figures are fitted to the processor times that WrongProofsBench
 * prints on one busy machine; only their proportions matter here.
 */
final class BisectionCost {

  private static final double MILLIS_ALONE = 7.0;
  private static final double MILLIS_PER_BATCH = 9.0;
  private static final double MILLIS_PER_PROOF = 1.2;

  private BisectionCost() {}

  /**
   * @param size a power of two, @param share 0 to 1
   */
  static double millisEach(int size, double share) {
    double total = batch(size);
    for (int part = size / 2; part >= 1; part /= 2) {
      double wholeFails = 1 - Math.pow(1 - share, 2.0 * part);
      double firstFails = 1 - Math.pow(1 - share, part);
      // where the first half holds the second fails unasked, unless it is a single one
      double verified = wholeFails + (part == 1 ? wholeFails : firstFails);
      total += (double) size / part / 2 * verified * batch(part);
    }
    return total / size;
  }

  private static double batch(int size) {
    return size == 1 ? MILLIS_ALONE : MILLIS_PER_BATCH + MILLIS_PER_PROOF * size;
  }
}
