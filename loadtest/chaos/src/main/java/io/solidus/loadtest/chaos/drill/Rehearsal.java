package io.solidus.loadtest.chaos.drill;

import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.dev.processes.Cluster;
import io.solidus.dev.processes.ClusterOptions;
import io.solidus.dev.processes.DatabaseServer;
import io.solidus.dev.processes.NetworkFiles;
import io.solidus.loadtest.chaos.Console;
import io.solidus.loadtest.chaos.load.Book;
import io.solidus.loadtest.chaos.load.Collector;
import io.solidus.loadtest.chaos.load.History;
import io.solidus.loadtest.chaos.load.Realm;
import io.solidus.loadtest.chaos.load.Repeats;
import io.solidus.loadtest.chaos.load.Tap;
import io.solidus.loadtest.chaos.load.Validators;
import io.solidus.loadtest.chaos.oracle.Checks;
import io.solidus.loadtest.chaos.oracle.Findings;
import io.solidus.loadtest.chaos.oracle.Holdings;
import io.solidus.loadtest.chaos.oracle.HoldingsReader;
import io.solidus.loadtest.chaos.oracle.Verdict;
import io.solidus.loadtest.forge.LoadTestKeys;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.SanctionKey;
import io.solidus.prover.KeyClass;
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

/**
 * What every drill stands on: a committee of real processes, money, and everything that is needed
 * to judge at the end.
 */
final class Rehearsal implements AutoCloseable {

  static final int AUTHORITIES = 4;
  static final int SHARDS = 2;

  /**
   * Every transfer of a rehearsal: what a backup has taken from an authority's tables comes back
   * when it is asked for.
   */
  private static final int REMEMBERED = 20_000;

  private static final int PERIOD = 202606;
  private static final SanctionKey LISTED =
      SanctionKey.fromHex("000000000102030405060708090a0b0c0d0e0f10");
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
  final ClusterOptions options;
  final Cluster cluster;
  final Realm realm;
  final Book book = new Book();
  final Tap tap = new Tap();
  final History history = new History(REMEMBERED);
  final Validators validators;
  final Collector collector;
  final Collection<String> incidents = new ConcurrentLinkedQueue<>();

  /**
   * Starts the committee.
   *
   * @param apart authorities with a process for the signer and each shard
   * @param database further settings of PostgreSQL
   * @param properties of signers and shards alike
   */
  Rehearsal(
      Path folder,
      Set<Integer> apart,
      Map<String, String> database,
      Map<String, String> properties) {
    this.folder = folder;
    LoadTestKeys keys =
        LoadTestKeys.cached(new NetworkId("load-test"), NetworkKind.REGULATED, AUTHORITIES);
    NetworkFiles files =
        new NetworkFiles(
            keys.network(),
            NetworkKind.REGULATED,
            KeyClass.LOAD_TEST,
            keys.dir(),
            keys.manifestKey());
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
    this.realm = Realm.open(keys, cluster.policy(), cluster.checkpoint(), List.of(LISTED));
    this.validators = new Validators(cluster, SHARDS, 0);
    this.collector = new Collector(validators, tap, history, realm.committee().weakQuorum());
  }

  AuthorityProcesses authority(int index) {
    return cluster.authority(index);
  }

  DatabaseServer database(int index) {
    return authority(index).database();
  }

  List<Integer> everybody() {
    return IntStream.rangeClosed(1, AUTHORITIES).boxed().toList();
  }

  /** Signatures of an authority that were seen. */
  long signatures(int index) {
    return tap.all().stream().filter(signed -> signed.authority() == index).count();
  }

  /**
   * Asks for every signature again.
   *
   * @return how many those are
   */
  long askAgain() throws InterruptedException {
    require(
        history.finished() <= REMEMBERED,
        "%d transfers, and %d are remembered: the others' answers may seem lost",
        history.finished(),
        REMEMBERED);
    return Repeats.ask(history.finishedTransfers(), tap, collector, incidents);
  }

  /** Stops everybody, and judges what they leave. */
  Verdict judge(long worthMinor, long unsettled) {
    Console.say("stopping all processes and reading what they leave");
    cluster.authorities().forEach(AuthorityProcesses::close);
    List<String> all = new ArrayList<>(incidents);
    all.addAll(tap.alarms());
    List<Holdings> holdings =
        cluster.authorities().stream()
            .map(authority -> HoldingsReader.read(realm.keys().network(), authority))
            .toList();
    return Checks.judge(
        new Findings(
            realm.committee().quorum(),
            tap.all(),
            holdings,
            history.operations(),
            book.entries(),
            worthMinor,
            unsettled,
            all));
  }

  /** Something the drill wants, or it is an incident. */
  void require(boolean holds, String format, Object... values) {
    if (!holds) {
      String words = String.format(Locale.ROOT, format, values);
      Console.say("NOT AS IT SHOULD BE: %s", words);
      incidents.add(words);
    }
  }

  @Override
  public void close() {
    validators.close();
    cluster.close();
    realm.close();
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
