package io.solidus.loadtest.chaos;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a run is.
 *
 * @param seed of the schedule and of all that wallets decide
 * @param length when it ends
 * @param overlap faults at a time, at most
 * @param kinds of faults; empty for all
 * @param shards of each authority
 * @param apart authorities whose signer and shards are processes of their own
 * @param crowd who pays
 * @param kafkaLibrary the folder with a broker's jars; null: no Kafka is part of the run
 * @param sabotage what is broken before the verdict, so that it has to be guilty; null: nothing
 * @param selfTest whether to break what an innocent run left, to see that the checks notice
 * @param folder for everything that is written
 */
public record ChaosOptions(
    long seed,
    Length length,
    int overlap,
    List<FaultKind> kinds,
    int shards,
    Set<Integer> apart,
    Crowd crowd,
    @Nullable Path kafkaLibrary,
    @Nullable Sabotage sabotage,
    boolean selfTest,
    Path folder) {

  public static final int AUTHORITIES = 4;

  /** How many shards may join at each authority. */
  public static final int SPARE_SHARDS = 2;

  /**
   * When no further fault strikes: whichever comes first.
   *
   * @param rounds of all kinds
   * @param kills processes to be killed one after the other instead of a schedule of faults; 0: the
   *     schedule
   */
  public record Length(int seconds, int maxFaults, int rounds, int kills) {

    /** Above this many seconds a run is long, and so is one that is not measured in seconds. */
    static final int SHORT_SECONDS = 300;

    public boolean isLong() {
      return kills > 0 || seconds > SHORT_SECONDS;
    }
  }

  /**
   * Wallets.
   *
   * @param honest ones
   * @param equivocators that are not
   * @param thinkMillis mean pause of a wallet between two transfers
   */
  public record Crowd(int honest, int equivocators, long thinkMillis) {
    public int all() {
      return honest + equivocators;
    }
  }

  /**
   * By default: one authority apart, enough wallets that every batch has company, no Kafka, one
   * fault at a time.
   */
  public static ChaosOptions of(long seed, int seconds, Path folder) {
    return new ChaosOptions(
        seed,
        new Length(seconds, Integer.MAX_VALUE, Integer.MAX_VALUE, 0),
        1,
        List.of(),
        2,
        Set.of(1),
        new Crowd(8, 2, 200),
        null,
        null,
        false,
        folder);
  }

  public ChaosOptions withKinds(List<FaultKind> chosen) {
    return new ChaosOptions(
        seed,
        length,
        overlap,
        chosen,
        shards,
        apart,
        crowd,
        kafkaLibrary,
        sabotage,
        selfTest,
        folder);
  }

  public ChaosOptions withLength(Length other) {
    return new ChaosOptions(
        seed,
        other,
        overlap,
        kinds,
        shards,
        apart,
        crowd,
        kafkaLibrary,
        sabotage,
        selfTest,
        folder);
  }

  public ChaosOptions withMaxFaults(int most) {
    return withLength(new Length(length.seconds(), most, length.rounds(), length.kills()));
  }

  public ChaosOptions withOverlap(int most) {
    return new ChaosOptions(
        seed, length, most, kinds, shards, apart, crowd, kafkaLibrary, sabotage, selfTest, folder);
  }

  public ChaosOptions withCommittee(int shardsOfEach, Set<Integer> processesApart) {
    return new ChaosOptions(
        seed,
        length,
        overlap,
        kinds,
        shardsOfEach,
        processesApart,
        crowd,
        kafkaLibrary,
        sabotage,
        selfTest,
        folder);
  }

  public ChaosOptions withCrowd(Crowd other) {
    return new ChaosOptions(
        seed,
        length,
        overlap,
        kinds,
        shards,
        apart,
        other,
        kafkaLibrary,
        sabotage,
        selfTest,
        folder);
  }

  public ChaosOptions withKafka(@Nullable Path library) {
    return new ChaosOptions(
        seed, length, overlap, kinds, shards, apart, crowd, library, sabotage, selfTest, folder);
  }

  public ChaosOptions withSabotage(@Nullable Sabotage committed) {
    return new ChaosOptions(
        seed,
        length,
        overlap,
        kinds,
        shards,
        apart,
        crowd,
        kafkaLibrary,
        committed,
        selfTest,
        folder);
  }

  public ChaosOptions withSelfTest(boolean wanted) {
    return new ChaosOptions(
        seed, length, overlap, kinds, shards, apart, crowd, kafkaLibrary, sabotage, wanted, folder);
  }
}
