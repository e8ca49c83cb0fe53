package io.solidus.loadtest.bench;

import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.dev.processes.Cluster;
import io.solidus.dev.processes.ClusterOptions;
import io.solidus.dev.processes.GatewayProcess;
import io.solidus.dev.processes.NetworkFiles;
import io.solidus.dev.processes.PostgresServer;
import io.solidus.loadtest.forge.LoadTestKeys;
import io.solidus.loadtest.forge.TransferRules;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SanctionKey;
import io.solidus.prover.KeyClass;
import io.solidus.prover.Limits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A running committee with load-test keys, its clients and its supply of transfers. */
final class BenchCommittee implements AutoCloseable {

  private static final int PERIOD = 202606;
  private static final String GATEWAY_DATABASE = "gateway";
  private static final SanctionKey LISTED =
      SanctionKey.fromHex("000000000102030405060708090a0b0c0d0e0f10");
  private static final List<String> JVM =
      List.of(
          "-Xms256m",
          "-Xmx512m",
          "-Xss512k",
          "-XX:+UseSerialGC",
          "--enable-native-access=ALL-UNNAMED");

  private final ClusterOptions options;
  private final Cluster cluster;
  private final List<AuthorityClient> targets = new ArrayList<>();
  private final TransferSupply supply;

  private BenchCommittee(
      ClusterOptions options, Cluster cluster, int shards, TransferSupply supply) {
    this.options = options;
    this.cluster = cluster;
    this.supply = supply;
    for (AuthorityProcesses authority : cluster.authorities()) {
      List<Integer> ports = new ArrayList<>();
      for (int shard = 0; shard < shards; shard++) {
        ports.add(authority.clientPort(shard));
      }
      targets.add(new AuthorityClient(ports));
    }
  }

  /**
   * The shape of a committee.
   *
   * @param committee its size, 3f+1
   * @param running how many of its authorities run
   * @param processors that each JVM may use
   * @param jvm further JVM options
   */
  record Shape(int committee, int running, int shards, int processors, List<String> jvm) {}

  /**
   * Starts a committee.
   *
   * @param linger how long a busy worker waits for a larger batch, e.g. 0ms
   */
  static BenchCommittee start(Shape shape, String linger, String seed, Path folder) {
    NetworkId network = new NetworkId("load-test");
    LoadTestKeys keys = LoadTestKeys.cached(network, NetworkKind.REGULATED, shape.committee());
    NetworkFiles files =
        new NetworkFiles(
            network,
            NetworkKind.REGULATED,
            KeyClass.LOAD_TEST,
            keys.dir(),
            keys.manifestKeyBase64());
    Policy policy = Cluster.policy(PERIOD);
    ClusterOptions options =
        ClusterOptions.of(files, shape.running(), shape.shards(), folder)
            .together()
            .withJvm(jvm(shape))
            .withProperties(
                Map.of("solidus.signer.verify-threads", Integer.toString(shape.processors())),
                Map.of("solidus.validator.batch.max-linger", linger));
    Cluster cluster = Cluster.start(options, policy, List.of(LISTED));
    TransferRules rules =
        new TransferRules(
            policy.version(),
            cluster.checkpoint().version(),
            policy.period(),
            Limits.of(policy),
            cluster.checkpoint().root());
    return new BenchCommittee(
        options, cluster, shape.shards(), new TransferSupply(keys, rules, seed, folder));
  }

  private static List<String> jvm(Shape shape) {
    List<String> options = new ArrayList<>(JVM);
    options.add("-XX:ActiveProcessorCount=" + shape.processors());
    options.addAll(shape.jvm());
    return options;
  }

  /** Binds the authorities and their databases to processors, e.g. "0", but not the generator. */
  void pin(String processors) {
    for (AuthorityProcesses authority : cluster.authorities()) {
      authority.pin(processors);
      authority.database().pin(processors);
    }
  }

  /**
   * Starts a gateway, whose database is in the first authority's server.
   *
   * @param further properties of it
   */
  GatewayProcess startGateway(Map<String, String> further) {
    Map<String, Object> properties = new HashMap<>(further);
    properties.put("solidus.gateway.sanctions-url", cluster.rules().url());
    PostgresServer database = cluster.authority(1).database();
    database.createDatabase(GATEWAY_DATABASE);
    GatewayProcess gateway =
        new GatewayProcess(
            options, cluster.authorities(), 1, database, GATEWAY_DATABASE, properties);
    try {
      gateway.awaitReady();
      return gateway;
    } catch (RuntimeException e) {
      gateway.close();
      throw e;
    }
  }

  Cluster cluster() {
    return cluster;
  }

  List<AuthorityClient> targets() {
    return targets;
  }

  TransferSupply supply() {
    return supply;
  }

  /** Offers new transfers at a rate and says how it went. */
  RateStep step(OpenLoad<EncodedTransfer> load, double rate, double seconds) {
    RateStep step = load.run(rate, seconds, supply.take((int) Math.round(rate * seconds)));
    Report.say(step);
    return step;
  }

  /** Processor milliseconds of the authorities' processes so far. */
  double nodeCpu() {
    return CpuTime.ofProcesses(
        cluster.authorities().stream().flatMap(a -> a.handles().stream()).toList());
  }

  /** Processor milliseconds of their databases so far. */
  double databaseCpu() {
    return CpuTime.ofProcesses(
        cluster.authorities().stream().map(a -> a.database().process()).toList());
  }

  @Override
  public void close() {
    targets.forEach(AuthorityClient::close);
    cluster.close();
  }
}
