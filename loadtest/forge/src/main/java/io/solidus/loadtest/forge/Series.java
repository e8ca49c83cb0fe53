package io.solidus.loadtest.forge;

import java.util.Locale;

/**
 * Which transfers to forge. Each follows from seed, index and variant; its serial numbers from seed
 * and index alone, so that another variant of an index is a conflicting transfer.
 *
 * @param seed any text; two series of different seeds share nothing
 * @param first index of the first transfer: several processes forge parts of one series
 * @param workers processors to use
 */
public record Series(String seed, long first, long count, long variant, int workers) {
  public Series {
    if (first < 0 || count < 0 || variant < 0 || workers < 1) {
      throw new IllegalArgumentException(
          "a series has no negative numbers and at least one worker");
    }
  }

  /** The first transfers of a seed, made by all processors. */
  public static Series of(String seed, long count) {
    return new Series(seed, 0, count, 0, Runtime.getRuntime().availableProcessors());
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "Series[%s, %d from %d, variant %d]", seed, count, first, variant);
  }
}
