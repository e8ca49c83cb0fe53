package io.solidus.authority.spend.simulation;

import java.util.List;
import java.util.SplittableRandom;

/** The only source of randomness in a simulated world, so that its seed determines everything. */
final class SeededRandom {

  private final SplittableRandom random;

  SeededRandom(long seed) {
    this.random = new SplittableRandom(mix(seed));
  }

  boolean chance(double probability) {
    return probability > 0 && random.nextDouble() < probability;
  }

  /** Returns 0 to bound - 1. */
  int below(int bound) {
    return random.nextInt(bound);
  }

  /** Returns a number from low to high, both included. */
  int between(int low, int high) {
    return low + random.nextInt(high - low + 1);
  }

  <T> T pick(List<T> from) {
    return from.get(below(from.size()));
  }

  long next() {
    return random.nextLong();
  }

  /** Spreads neighbouring values over all 64 bits (the finalizer of SplitMix64). */
  static long mix(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
