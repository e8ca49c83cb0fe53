package io.solidus.dev.acceptance;

import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.dev.processes.Cluster;
import io.solidus.dev.processes.ClusterOptions;
import io.solidus.dev.processes.NetworkFiles;
import io.solidus.dev.testkit.OtlpCollector;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.edge.gateway.GatewayApplication;
import io.solidus.loadtest.forge.ForgedTransfers;
import io.solidus.loadtest.forge.LoadTestKeys;
import io.solidus.loadtest.forge.TransferRules;
import io.solidus.loadtest.forge.TransferSeries;
import io.solidus.platform.boot.ServicePorts;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SanctionKey;
import io.solidus.protocol.TransferRequest;
import io.solidus.prover.KeyClass;
import io.solidus.prover.Limits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The real gateway and four real authorities of two shards each. All send their spans to one
 * collector and expose their metrics.
 */
final class ObservedCommittee implements AutoCloseable {
  static final NetworkId NETWORK = new NetworkId("solidus-traced");
  static final int AUTHORITIES = 4;
  static final int SHARDS = 2;

  private static final SanctionKey LISTED =
      SanctionKey.fromHex("000000000102030405060708090a0b0c0d0e0f10");
  private static final int PERIOD = 202_606;
  private static final int SIGNER = 9;
  private static final List<Integer> PROCESSES = List.of(0, 1, SIGNER);
  private static final Duration FORGING = Duration.ofMinutes(2);
  private static final List<String> JVM =
      List.of(
          "-Xmx384m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:ActiveProcessorCount=1",
          "--enable-native-access=ALL-UNNAMED");

  final OtlpCollector collector = new OtlpCollector();
  final RestProbe rest;
  private final LoadTestKeys keys =
      LoadTestKeys.cached(NETWORK, NetworkKind.REGULATED, AUTHORITIES);
  private final String run = freeRun();
  private final Path folder;
  private final Cluster cluster;
  private final ConfigurableApplicationContext gateway;

  ObservedCommittee(Path folder) {
    this.folder = folder;
    NetworkFiles files =
        new NetworkFiles(
            NETWORK,
            NetworkKind.REGULATED,
            KeyClass.LOAD_TEST,
            keys.dir(),
            keys.manifestKeyBase64());
    cluster =
        Cluster.start(
            ClusterOptions.of(files, AUTHORITIES, SHARDS, folder)
                .together()
                .withJvm(JVM)
                .withProperties(
                    observed("2${solidus.signer.authority}" + SIGNER + run),
                    observed("2${solidus.validator.authority}${solidus.validator.shard}" + run)),
            Cluster.policy(PERIOD),
            List.of(LISTED));
    gateway = GatewayApplication.start(gatewayProperties(files));
    rest = new RestProbe(ServicePorts.http(gateway));
  }

  private Map<String, Object> tracing() {
    return Map.of(
        "solidus.tracing.endpoint",
        collector.endpoint(),
        "solidus.tracing.ratio",
        "1.0",
        "solidus.tracing.max-per-second",
        "1000");
  }

  private Map<String, Object> gatewayProperties(NetworkFiles files) {
    Map<String, Object> p = new HashMap<>(TestPostgres.newDatabase().springProperties());
    p.putAll(tracing());
    for (AuthorityProcesses authority : cluster.authorities()) {
      String prefix = "solidus.gateway.authorities[" + (authority.index() - 1) + "].";
      p.put(prefix + "index", authority.index());
      for (int shard = 0; shard < SHARDS; shard++) {
        p.put(prefix + "shards[" + shard + "]", "127.0.0.1:" + authority.clientPort(shard));
      }
    }
    p.put("server.port", 0);
    p.putAll(files.properties());
    p.put("solidus.trust.registration", AuthorityProcesses.NOBODYS_KEY);
    p.put("solidus.gateway.urls.registration", "http://127.0.0.1:1");
    p.put("solidus.gateway.urls.sanctions", "http://127.0.0.1:1");
    p.put("solidus.gateway.urls.issuance", "http://127.0.0.1:1");
    return p;
  }

  /** Valid transfers; those of another variant conflict with the same ones of variant 0. */
  List<TransferRequest> transfers(String seed, int count, long variant) throws IOException {
    Policy policy = cluster.policy();
    TransferRules rules =
        new TransferRules(
            policy.version(),
            cluster.checkpoint().version(),
            policy.period(),
            Limits.of(policy),
            cluster.checkpoint().root());
    Path file = folder.resolve("series-" + variant);
    ForgedTransfers.write(
        keys, rules, new TransferSeries(seed, 0, count, variant, 1), file, FORGING);
    List<TransferRequest> requests = new ArrayList<>();
    try (ForgedTransfers series = ForgedTransfers.open(file)) {
      while (series.left() > 0) {
        requests.add(series.next().orElseThrow().request());
      }
    }
    return requests;
  }

  /** The metrics of every process, by service: "gateway", "shard", "signer". */
  Map<String, List<String>> metrics() {
    Map<String, List<String>> bodies = new TreeMap<>();
    bodies.put("gateway", List.of(rest.get("/actuator/prometheus").body()));
    for (int authority = 1; authority <= AUTHORITIES; authority++) {
      for (int process : PROCESSES) {
        String body =
            new RestProbe(webPort(authority, process, run)).get("/actuator/prometheus").body();
        bodies
            .computeIfAbsent(process == SIGNER ? "signer" : "shard", any -> new ArrayList<>())
            .add(body);
      }
    }
    return bodies;
  }

  private Map<String, String> observed(String webPort) {
    Map<String, String> properties = new HashMap<>();
    tracing().forEach((key, value) -> properties.put(key, value.toString()));
    properties.put("management.server.address", "127.0.0.1");
    properties.put("management.server.port", webPort);
    return properties;
  }

  /**
   * The port of a process. Processes of a kind share one configuration, so the port is composed of
   * their own numbers.
   */
  private static int webPort(int authority, int process, String run) {
    return Integer.parseInt("2" + authority + process + run);
  }

  /** Two digits for which every port is free. */
  private static String freeRun() {
    return IntStream.range(10, 100)
        .mapToObj(Integer::toString)
        .filter(run ->
            IntStream.rangeClosed(1, AUTHORITIES)
                .allMatch(a -> PROCESSES.stream().allMatch(p -> isFree(webPort(a, p, run)))))
        .findFirst()
        .orElseThrow();
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    gateway.close();
    cluster.close();
    collector.close();
  }
}
