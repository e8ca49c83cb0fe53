package io.solidus.loadtest.forge;

import java.util.Locale;

/**
 * The transfers to forge. Each follows from seed, index and variant. Its serial numbers follow from
 * seed and index alone, so another variant of an index is a conflicting transfer.
 *
 * @param seed any text; two series of different seeds share nothing
 * @param first index of the first transfer, so that several processes can forge parts of one series
 * @param workers number of processors to use
 */
public record TransferSeries(String seed, long first, long count, long variant, int workers) {
  public TransferSeries {
    if (first < 0 || count < 0 || variant < 0 || workers < 1) {
      throw new IllegalArgumentException(
          "a series has no negative numbers and at least one worker");
    }
  }

  /** The first transfers of a seed, forged on all processors. */
  public static TransferSeries of(String seed, long count) {
    return new TransferSeries(seed, 0, count, 0, Runtime.getRuntime().availableProcessors());
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "TransferSeries[%s, %d from %d, variant %d]", seed, count, first, variant);
  }
}
