package io.solidus.loadtest.chaos;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The options of a run. Instances do not change; each method {@code with...} returns a copy. */
public final class ChaosOptions {

  public static final int AUTHORITIES = 4;

  /** How many shards may join at each authority. */
  public static final int SPARE_SHARDS = 2;

  /**
   * When the faults end: at the first of these limits.
   *
   * @param rounds of all kinds of faults
   * @param kills processes to kill one after the other instead of a schedule of faults; 0 for the
   *     schedule
   */
  public record Length(int seconds, int maxFaults, int rounds, int kills) {

    /** Runs of more seconds are long, and so are runs that are not measured in seconds. */
    static final int SHORT_SECONDS = 600;

    public boolean isLong() {
      return kills > 0 || seconds > SHORT_SECONDS;
    }
  }

  /**
   * The wallets.
   *
   * @param honest number of correct wallets
   * @param equivocators number of wallets that spend coins twice
   * @param thinkMillis mean pause of a wallet between two transfers
   */
  public record Crowd(int honest, int equivocators, long thinkMillis) {
    public int all() {
      return honest + equivocators;
    }
  }

  private final long seed;
  private final Path folder;
  private Length length;
  private int overlap = 1;
  private List<FaultKind> kinds = List.of();
  private int shards = 2;
  private Set<Integer> apart = Set.of(1);
  private Crowd crowd = new Crowd(8, 2, 200);
  private @Nullable Path kafkaLibrary;
  private @Nullable Sabotage sabotage;
  private boolean selfTest;

  private ChaosOptions(long seed, Length length, Path folder) {
    this.seed = seed;
    this.length = length;
    this.folder = folder;
  }

  /**
   * A run with one fault at a time, one authority in separate processes, enough wallets for batches
   * of several transfers, and no Kafka.
   *
   * @param seed of the schedule and of all decisions of wallets
   * @param folder for everything that is written
   */
  public static ChaosOptions of(long seed, int seconds, Path folder) {
    return new ChaosOptions(
        seed, new Length(seconds, Integer.MAX_VALUE, Integer.MAX_VALUE, 0), folder);
  }

  /** The kinds of faults; empty for all. */
  public ChaosOptions withKinds(List<FaultKind> chosen) {
    return with(copy -> copy.kinds = List.copyOf(chosen));
  }

  public ChaosOptions withLength(Length other) {
    return with(copy -> copy.length = other);
  }

  public ChaosOptions withMaxFaults(int most) {
    return withLength(new Length(length.seconds(), most, length.rounds(), length.kills()));
  }

  /** The number of faults at a time, at most. */
  public ChaosOptions withOverlap(int most) {
    return with(copy -> copy.overlap = most);
  }

  /**
   * The shape of the committee.
   *
   * @param processesApart authorities whose signer and shards have a process each
   */
  public ChaosOptions withCommittee(int shardsOfEach, Set<Integer> processesApart) {
    return with(copy -> {
      copy.shards = shardsOfEach;
      copy.apart = Set.copyOf(processesApart);
    });
  }

  public ChaosOptions withCrowd(Crowd other) {
    return with(copy -> copy.crowd = other);
  }

  /** The folder with a broker's jars; null for a run without Kafka. */
  public ChaosOptions withKafka(@Nullable Path library) {
    return with(copy -> copy.kafkaLibrary = library);
  }

  /** Breaks an invariant before the checks, which must fail then; null breaks nothing. */
  public ChaosOptions withSabotage(@Nullable Sabotage committed) {
    return with(copy -> copy.sabotage = committed);
  }

  /** Whether to break the state that a run without violations left, to test the checks. */
  public ChaosOptions withSelfTest(boolean wanted) {
    return with(copy -> copy.selfTest = wanted);
  }

  public long seed() {
    return seed;
  }

  public Path folder() {
    return folder;
  }

  public Length length() {
    return length;
  }

  public int overlap() {
    return overlap;
  }

  public List<FaultKind> kinds() {
    return kinds;
  }

  public int shards() {
    return shards;
  }

  public Set<Integer> apart() {
    return apart;
  }

  public Crowd crowd() {
    return crowd;
  }

  public @Nullable Path kafkaLibrary() {
    return kafkaLibrary;
  }

  public @Nullable Sabotage sabotage() {
    return sabotage;
  }

  public boolean selfTest() {
    return selfTest;
  }

  private ChaosOptions with(Consumer<ChaosOptions> change) {
    ChaosOptions copy = new ChaosOptions(seed, length, folder);
    copy.overlap = overlap;
    copy.kinds = kinds;
    copy.shards = shards;
    copy.apart = apart;
    copy.crowd = crowd;
    copy.kafkaLibrary = kafkaLibrary;
    copy.sabotage = sabotage;
    copy.selfTest = selfTest;
    change.accept(copy);
    return copy;
  }
}
