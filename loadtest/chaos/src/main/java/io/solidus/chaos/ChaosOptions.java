package io.solidus.chaos;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * What a run is.
 *
 * @param seed of the schedule and of all that wallets decide
 * @param seconds after which no further fault strikes
 * @param maxFaults faults after which none strikes any more
 * @param kinds of faults; empty for all
 * @param shards of each authority
 * @param apart authorities whose signer and shards are processes of their own
 * @param wallets that are honest
 * @param equivocators wallets that are not
 * @param thinkMillis mean pause of a wallet between two transfers
 * @param folder for everything that is written
 */
record ChaosOptions(
    long seed,
    int seconds,
    int maxFaults,
    List<FaultKind> kinds,
    int shards,
    Set<Integer> apart,
    int wallets,
    int equivocators,
    long thinkMillis,
    Path folder) {

  static final int AUTHORITIES = 4;

  /** How many shards may join at each authority. */
  static final int SPARE_SHARDS = 2;

  /** By default: one authority apart, enough wallets that every batch has company. */
  static ChaosOptions of(long seed, int seconds, Path folder) {
    return new ChaosOptions(seed, seconds, Integer.MAX_VALUE, List.of(), 2, Set.of(1), 8, 2, 200, folder);
  }

  ChaosOptions withKinds(List<FaultKind> chosen) {
    return new ChaosOptions(seed, seconds, maxFaults, chosen, shards, apart, wallets, equivocators, thinkMillis, folder);
  }

  ChaosOptions withMaxFaults(int most) {
    return new ChaosOptions(seed, seconds, most, kinds, shards, apart, wallets, equivocators, thinkMillis, folder);
  }
}
