package io.solidus.dev.processes;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The shape of a cluster. Instances do not change; each method {@code with...} returns a copy. */
public final class ClusterOptions {

  private static final List<String> JVM =
      List.of(
          "-Xmx512m",
          "-Xss512k",
          "-XX:+UseSerialGC",
          // the second compiler takes longer than it saves in the minutes of a test
          "-XX:TieredStopAtLevel=1",
          "--enable-native-access=ALL-UNNAMED");

  private final NetworkFiles network;
  private final int authorities;
  private final int shards;
  private final Path folder;
  private int spareShards;
  private Set<Integer> inOneProcess = Set.of();
  private List<String> jvm = JVM;
  private Map<String, String> signer = Map.of();
  private Map<String, String> shard = Map.of();
  private Map<String, String> database = Map.of();
  private boolean links = true;
  private boolean anchorFiles;
  private boolean faultyMachines;
  private Set<Integer> replicated = Set.of();
  private @Nullable Path kafkaLibrary;

  private ClusterOptions(NetworkFiles network, int authorities, int shards, Path folder) {
    this.network = network;
    this.authorities = authorities;
    this.shards = shards;
    this.folder = folder;
  }

  /**
   * A cluster with links and with a process for each signer and shard.
   *
   * @param network keys and shares
   * @param authorities how many of the network's authorities run
   * @param shards of each authority
   * @param folder for files, logs and databases
   */
  public static ClusterOptions of(NetworkFiles network, int authorities, int shards, Path folder) {
    return new ClusterOptions(network, authorities, shards, folder);
  }

  /** All of an authority in one process, without links: for benchmarks. */
  public ClusterOptions together() {
    Set<Integer> all =
        IntStream.rangeClosed(1, authorities).boxed().collect(Collectors.toUnmodifiableSet());
    return with(copy -> {
      copy.inOneProcess = all;
      copy.links = false;
    });
  }

  /** One process for all of each of these authorities. */
  public ClusterOptions withTogether(Set<Integer> indexes) {
    return with(copy -> copy.inOneProcess = Set.copyOf(indexes));
  }

  /** Numbers and addresses for shards that join when a range is split. */
  public ClusterOptions withSpareShards(int count) {
    return with(copy -> copy.spareShards = count);
  }

  /** JVM options of each process, instead of the default ones. */
  public ClusterOptions withJvm(List<String> options) {
    return with(copy -> copy.jvm = List.copyOf(options));
  }

  /** Further properties of every signer and of every shard. */
  public ClusterOptions withProperties(Map<String, String> ofSigner, Map<String, String> ofShard) {
    return with(copy -> {
      copy.signer = Map.copyOf(ofSigner);
      copy.shard = Map.copyOf(ofShard);
    });
  }

  /** Further settings of PostgreSQL. */
  public ClusterOptions withDatabase(Map<String, String> settings) {
    return with(copy -> copy.database = Map.copyOf(settings));
  }

  /** Signers keep an anchor file. */
  public ClusterOptions withAnchorFiles() {
    return with(copy -> copy.anchorFiles = true);
  }

  /**
   * The processes of each authority, with its database, run on a {@link FaultyMachine}, where there
   * is a C compiler; the database of a replicated authority does not.
   */
  public ClusterOptions withFaultyMachines() {
    return with(copy -> copy.faultyMachines = true);
  }

  /** The databases of these authorities have a standby, for which every commit waits. */
  public ClusterOptions withReplicated(Set<Integer> indexes) {
    return with(copy -> copy.replicated = Set.copyOf(indexes));
  }

  /** A Kafka broker, whose jars are in this folder. */
  public ClusterOptions withKafka(Path library) {
    return with(copy -> copy.kafkaLibrary = library);
  }

  NetworkFiles network() {
    return network;
  }

  int authorities() {
    return authorities;
  }

  int shards() {
    return shards;
  }

  int spareShards() {
    return spareShards;
  }

  Set<Integer> inOneProcess() {
    return inOneProcess;
  }

  Path folder() {
    return folder;
  }

  List<String> jvm() {
    return jvm;
  }

  Map<String, String> signer() {
    return signer;
  }

  Map<String, String> shard() {
    return shard;
  }

  Map<String, String> database() {
    return database;
  }

  /** Whether clients reach the shards through links that can be cut. */
  boolean links() {
    return links;
  }

  boolean anchorFiles() {
    return anchorFiles;
  }

  boolean faultyMachines() {
    return faultyMachines;
  }

  Set<Integer> replicated() {
    return replicated;
  }

  /** Null means no Kafka: the shards read rules from the HTTP pages alone. */
  @Nullable Path kafkaLibrary() {
    return kafkaLibrary;
  }

  private ClusterOptions with(Consumer<ClusterOptions> change) {
    ClusterOptions copy = new ClusterOptions(network, authorities, shards, folder);
    copy.spareShards = spareShards;
    copy.inOneProcess = inOneProcess;
    copy.jvm = jvm;
    copy.signer = signer;
    copy.shard = shard;
    copy.database = database;
    copy.links = links;
    copy.anchorFiles = anchorFiles;
    copy.faultyMachines = faultyMachines;
    copy.replicated = replicated;
    copy.kafkaLibrary = kafkaLibrary;
    change.accept(copy);
    return copy;
  }
}
