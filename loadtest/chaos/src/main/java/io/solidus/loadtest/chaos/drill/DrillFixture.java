package io.solidus.loadtest.chaos.drill;

import com.google.errorprone.annotations.FormatMethod;
import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.dev.processes.Cluster;
import io.solidus.dev.processes.ClusterOptions;
import io.solidus.dev.processes.GatewayProcess;
import io.solidus.dev.processes.NetworkFiles;
import io.solidus.dev.processes.PostgresServer;
import io.solidus.loadtest.chaos.Console;
import io.solidus.loadtest.chaos.RollOut;
import io.solidus.loadtest.chaos.load.CoinLedger;
import io.solidus.loadtest.chaos.load.History;
import io.solidus.loadtest.chaos.load.Lies;
import io.solidus.loadtest.chaos.load.RepeatedRequests;
import io.solidus.loadtest.chaos.load.ShardClients;
import io.solidus.loadtest.chaos.load.SignatureTap;
import io.solidus.loadtest.chaos.load.SigningClient;
import io.solidus.loadtest.chaos.load.TestNetwork;
import io.solidus.loadtest.chaos.oracle.AuthorityState;
import io.solidus.loadtest.chaos.oracle.AuthorityStateReader;
import io.solidus.loadtest.chaos.oracle.InvariantChecks;
import io.solidus.loadtest.chaos.oracle.RunRecord;
import io.solidus.loadtest.chaos.oracle.Verdict;
import io.solidus.loadtest.forge.LoadTestKeys;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.SanctionKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The committee of real processes, the money and the records that every drill needs. */
final class DrillFixture implements AutoCloseable {

  static final int AUTHORITIES = 4;
  static final int SHARDS = 2;
  static final int GATEWAYS = 2;

  /**
   * All transfers are kept: an answer that a restore removed from an authority's tables comes back
   * when the transfer is sent again.
   */
  private static final int REMEMBERED = 20_000;

  private static final int PERIOD = 202606;
  private static final String GATEWAY_DATABASE = "gateway";
  static final SanctionKey LISTED = SanctionKey.fromHex("000000000102030405060708090a0b0c0d0e0f10");
  private static final List<String> JVM =
      List.of(
          "-Xmx384m",
          "-Xss512k",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "--enable-native-access=ALL-UNNAMED");
  private static final Map<String, String> DATABASE =
      Map.of(
          "max_connections",
          "60",
          "max_wal_size",
          "64MB",
          "min_wal_size",
          "32MB",
          "shared_buffers",
          "32MB");

  final Path folder;
  final LoadTestKeys keys;
  final ClusterOptions options;
  final Cluster cluster;
  final TestNetwork network;
  final CoinLedger ledger = new CoinLedger();
  final SignatureTap tap = new SignatureTap();
  final History history = new History(REMEMBERED);
  final ShardClients shardClients;
  final SigningClient client;
  final Collection<String> incidents = new ConcurrentLinkedQueue<>();

  /**
   * Starts the committee and waits until it serves.
   *
   * @param apart authorities with a process for the signer and each shard
   * @param database further settings of PostgreSQL
   * @param properties of signers and shards alike
   */
  DrillFixture(
      Path folder,
      Set<Integer> apart,
      Map<String, String> database,
      Map<String, String> properties) {
    this.folder = folder;
    this.keys = LoadTestKeys.cached(new NetworkId("load-test"), NetworkKind.REGULATED, AUTHORITIES);
    NetworkFiles files = RollOut.files(keys);
    Set<Integer> together =
        IntStream.rangeClosed(1, AUTHORITIES)
            .filter(index -> !apart.contains(index))
            .boxed()
            .collect(Collectors.toUnmodifiableSet());
    this.options =
        ClusterOptions.of(files, AUTHORITIES, SHARDS, folder)
            .withTogether(together)
            .withJvm(JVM)
            .withProperties(
                with(properties, "solidus.signer.verify-threads", "1"),
                with(properties, "spring.datasource.hikari.maximum-pool-size", "5"))
            .withDatabase(join(DATABASE, database))
            .withAnchorFiles();
    this.cluster = Cluster.start(options, Cluster.policy(PERIOD), List.of(LISTED));
    this.network = TestNetwork.open(keys, cluster.policy(), cluster.checkpoint(), List.of(LISTED));
    this.shardClients = new ShardClients(cluster, SHARDS, 0);
    this.client =
        new SigningClient(shardClients, tap, history, new Lies(), network.committee().weakQuorum());
  }

  AuthorityProcesses authority(int index) {
    return cluster.authority(index);
  }

  /** Starts the gateways, which share a database, and waits until they are ready. */
  List<GatewayProcess> startGateways() {
    database(1).createDatabase(GATEWAY_DATABASE);
    List<GatewayProcess> gateways =
        IntStream.rangeClosed(1, GATEWAYS)
            .mapToObj(number ->
                new GatewayProcess(
                    options, cluster.authorities(), number, database(1), GATEWAY_DATABASE))
            .toList();
    gateways.forEach(GatewayProcess::awaitReady);
    return gateways;
  }

  PostgresServer database(int index) {
    return authority(index).database();
  }

  /** The number of signatures of an authority that were seen. */
  long signatures(int index) {
    return tap.all().stream().filter(signed -> signed.authority() == index).count();
  }

  /** Requests every signature again; returns their number. */
  long askAgain() throws InterruptedException {
    require(
        history.finished() <= REMEMBERED,
        "%d transfers, of which only %d are kept: answers of the others may seem lost",
        history.finished(),
        REMEMBERED);
    return RepeatedRequests.ask(history.finishedTransfers(), tap, client, incidents);
  }

  /** Stops all processes and checks the invariants on what they leave. */
  Verdict judge(long worthMinor, long unsettled) {
    Console.say("stopping all processes and reading what they leave");
    cluster.stopAuthorities();
    List<String> all = new ArrayList<>(incidents);
    all.addAll(tap.alarms());
    List<AuthorityState> states =
        cluster.authorities().stream()
            .map(authority -> AuthorityStateReader.read(network.keys().network(), authority))
            .toList();
    return InvariantChecks.judge(
        new RunRecord(
            network.committee().quorum(),
            tap.all(),
            states,
            history.operations(),
            ledger.entries(),
            worthMinor,
            unsettled,
            all));
  }

  /** Records an incident unless a requirement of the drill holds. */
  @FormatMethod
  void require(boolean holds, String format, Object... values) {
    if (!holds) {
      String words = String.format(Locale.ROOT, format, values);
      Console.say("REQUIREMENT NOT MET: %s", words);
      incidents.add(words);
    }
  }

  @Override
  public void close() {
    shardClients.close();
    cluster.close();
    network.close();
  }

  private static Map<String, String> with(Map<String, String> some, String key, String value) {
    return join(some, Map.of(key, value));
  }

  private static Map<String, String> join(Map<String, String> some, Map<String, String> more) {
    Map<String, String> all = new TreeMap<>(some);
    all.putAll(more);
    return all;
  }
}
