package io.solidus.dev.processes;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster looks like.
 *
 * @param network keys and shares
 * @param authorities how many of the network's authorities run here
 * @param shards of each authority
 * @param spareShards numbers and addresses set aside for shards that join when a range is split
 * @param inOneProcess indexes of the authorities that run in one process each; of the others the
 *     signer and each shard has its own
 * @param folder for files, logs and databases
 * @param jvm options of each process
 * @param signer further properties of every signer
 * @param shard further properties of every shard
 * @param database further settings of PostgreSQL
 * @param links whether clients reach the shards through links that can be cut
 * @param anchorFiles whether signers keep an anchor file
 * @param kafkaLibrary the folder with a broker's jars; null: no Kafka runs, and the shards ask the
 *     fact server alone
 */
public record ClusterOptions(
    NetworkFiles network,
    int authorities,
    int shards,
    int spareShards,
    Set<Integer> inOneProcess,
    Path folder,
    List<String> jvm,
    Map<String, String> signer,
    Map<String, String> shard,
    Map<String, String> database,
    boolean links,
    boolean anchorFiles,
    @Nullable Path kafkaLibrary) {

  private static final List<String> JVM =
      List.of("-Xmx512m", "-Xss512k", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED");

  /** Links, processes apart, nothing special. */
  public static ClusterOptions of(NetworkFiles network, int authorities, int shards, Path folder) {
    return new ClusterOptions(
        network,
        authorities,
        shards,
        0,
        Set.of(),
        folder,
        JVM,
        Map.of(),
        Map.of(),
        Map.of(),
        true,
        false,
        null);
  }

  /**
   * Everything of an authority in one process, clients connected to it directly: for benchmarks.
   */
  public ClusterOptions together() {
    Set<Integer> all =
        IntStream.rangeClosed(1, authorities).boxed().collect(Collectors.toUnmodifiableSet());
    return new ClusterOptions(
        network,
        authorities,
        shards,
        spareShards,
        all,
        folder,
        jvm,
        signer,
        shard,
        database,
        false,
        anchorFiles,
        kafkaLibrary);
  }

  /** These authorities in one process each. */
  public ClusterOptions withTogether(Set<Integer> indexes) {
    return new ClusterOptions(
        network,
        authorities,
        shards,
        spareShards,
        indexes,
        folder,
        jvm,
        signer,
        shard,
        database,
        links,
        anchorFiles,
        kafkaLibrary);
  }

  public ClusterOptions withSpareShards(int count) {
    return new ClusterOptions(
        network,
        authorities,
        shards,
        count,
        inOneProcess,
        folder,
        jvm,
        signer,
        shard,
        database,
        links,
        anchorFiles,
        kafkaLibrary);
  }

  public ClusterOptions withJvm(List<String> options) {
    return new ClusterOptions(
        network,
        authorities,
        shards,
        spareShards,
        inOneProcess,
        folder,
        options,
        signer,
        shard,
        database,
        links,
        anchorFiles,
        kafkaLibrary);
  }

  public ClusterOptions withProperties(Map<String, String> ofSigner, Map<String, String> ofShard) {
    return new ClusterOptions(
        network,
        authorities,
        shards,
        spareShards,
        inOneProcess,
        folder,
        jvm,
        ofSigner,
        ofShard,
        database,
        links,
        anchorFiles,
        kafkaLibrary);
  }

  public ClusterOptions withDatabase(Map<String, String> settings) {
    return new ClusterOptions(
        network,
        authorities,
        shards,
        spareShards,
        inOneProcess,
        folder,
        jvm,
        signer,
        shard,
        settings,
        links,
        anchorFiles,
        kafkaLibrary);
  }

  public ClusterOptions withAnchorFiles() {
    return new ClusterOptions(
        network,
        authorities,
        shards,
        spareShards,
        inOneProcess,
        folder,
        jvm,
        signer,
        shard,
        database,
        links,
        true,
        kafkaLibrary);
  }

  /** With a real Kafka, whose jars are in this folder. */
  public ClusterOptions withKafka(Path library) {
    return new ClusterOptions(
        network,
        authorities,
        shards,
        spareShards,
        inOneProcess,
        folder,
        jvm,
        signer,
        shard,
        database,
        links,
        anchorFiles,
        library);
  }
}
