package io.solidus.chaos;

import io.solidus.cluster.AuthorityProcesses;
import io.solidus.cluster.Await;
import io.solidus.cluster.Cluster;
import io.solidus.cluster.ClusterOptions;
import io.solidus.cluster.NetworkFiles;
import io.solidus.forge.LoadTestKeys;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.SanctionKey;
import io.solidus.prover.KeyClass;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One run from the first process to the verdict. */
final class ChaosRun implements AutoCloseable {

  private static final int PERIOD = 202606;
  private static final SanctionKey LISTED = SanctionKey.fromHex("000000000102030405060708090a0b0c0d0e0f10");
  private static final List<String> JVM =
      List.of("-Xmx384m", "-Xss512k", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED");
  /** So short that wallets have to renew their evidence while the run is on. */
  static final long GRACE_MILLIS = 4000;

  private static final String GRACE = GRACE_MILLIS + "ms";
  private static final Map<String, String> SHARD =
      Map.of("solidus.validator.policy-grace", GRACE, "spring.datasource.hikari.maximum-pool-size", "5");
  private static final Map<String, String> DATABASE =
      Map.of("max_connections", "60", "max_wal_size", "64MB", "min_wal_size", "32MB", "shared_buffers", "32MB");
  private static final Duration WARM = Duration.ofSeconds(180);
  private static final Duration REST = Duration.ofSeconds(240);
  private static final int WARM_TRANSFERS = 5;
  private static final long TICK_SECONDS = 10;

  private final ChaosOptions options;
  private final Volumes volumes = new Volumes();
  private final Thread unmount = new Thread(volumes::close);
  private final Collection<String> incidents = new ConcurrentLinkedQueue<>();
  private final Book book = new Book();
  private final Tap tap = new Tap();
  private final History history = new History();
  private final Cluster cluster;
  private final Realm realm;
  private final Validators validators;
  private final Collector collector;
  private final Traffic traffic;
  private final Site site;

  private ChaosRun(ChaosOptions options) throws IOException {
    this.options = options;
    Runtime.getRuntime().addShutdownHook(unmount);
    NetworkId network = new NetworkId("load-test");
    LoadTestKeys keys = LoadTestKeys.cached(network, NetworkKind.REGULATED, ChaosOptions.AUTHORITIES);
    List<Integer> small = smallVolumes();
    this.cluster = Cluster.start(clusterOptions(keys), Cluster.policy(PERIOD), List.of(LISTED));
    this.realm = Realm.open(keys, cluster.policy(), cluster.checkpoint(), List.of(LISTED));
    this.validators = new Validators(cluster, options.shards(), ChaosOptions.SPARE_SHARDS);
    this.collector = new Collector(validators, tap, history, realm.committee().weakQuorum());
    this.traffic =
        new Traffic(
            realm, book, collector, history,
            new Traffic.Plan(options.seed(), options.wallets(), options.equivocators(), options.thinkMillis()));
    this.site =
        new Site(cluster, realm, volumes, options.shards(), options.apart().stream().sorted().toList(), small, options.folder());
  }

  /** Runs it and cleans up. */
  static Report run(ChaosOptions options) throws IOException, InterruptedException {
    Console.say("seed %d: starting %d authorities of %d shards", options.seed(), ChaosOptions.AUTHORITIES, options.shards());
    try (ChaosRun run = new ChaosRun(options)) {
      return run.run();
    }
  }

  private Report run() throws InterruptedException {
    long start = System.nanoTime();
    Console.say("payments begin: %d wallets, %d of them dishonest", options.wallets() + options.equivocators(), options.equivocators());
    traffic.start();
    Thread ticker = Thread.ofVirtual().start(this::tick);
    Faults faults = new Faults(site, List.of(LISTED));
    Drill drill = new Drill(site, faults, history, tap, incidents);
    Map<FaultKind, String> impossible = site.impossible();
    try {
      Await.until("first transfers are finished", WARM, () -> history.finished() >= WARM_TRANSFERS);
      drill(drill, impossible);
      Console.say("no more faults; what is under way has to finish");
      traffic.finish(REST);
    } finally {
      ticker.interrupt();
    }
    long repeated = Repeats.ask(history.finishedTransfers(), tap, collector, REST, incidents);
    Verdict verdict = judge();
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Report(
        options, seconds, drill.count(), drill.byKind(), skipped(impossible), faults.kills(), faults.databaseCrashes(),
        drill.restartsNeeded(), history.finished(), traffic.equivocations(), tap.all().size(), repeated, history.refusalCounts(),
        verdict);
  }

  private void drill(Drill drill, Map<FaultKind, String> impossible) throws InterruptedException {
    List<FaultKind> kinds = new ArrayList<>(options.kinds().isEmpty() ? List.of(FaultKind.values()) : options.kinds());
    impossible.forEach((kind, why) -> {
      if (kinds.remove(kind)) {
        Console.say("SKIPPED %s: %s", kind.label(), why);
      }
    });
    Console.say("faults of: %s", FaultKind.labels(kinds));
    Schedule schedule = new Schedule(options.seed(), kinds, site::targets, options.shards());
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(options.seconds());
    while (System.nanoTime() - end < 0 && drill.count() < options.maxFaults()) {
      drill.run(schedule.next());
    }
  }

  private Verdict judge() {
    Console.say("stopping all processes and reading what they leave");
    cluster.authorities().forEach(AuthorityProcesses::close);
    List<Holdings> holdings = cluster.authorities().stream().map(authority -> HoldingsReader.read(realm.keys().network(), authority)).toList();
    return Checks.judge(
        new Findings(
            realm.committee().quorum(), tap.all(), holdings, history.operations(), book.entries(), traffic.worthMinor(), traffic.unsettled(),
            List.copyOf(incidents)));
  }

  private Map<String, String> skipped(Map<FaultKind, String> impossible) {
    Map<String, String> skipped = new LinkedHashMap<>();
    impossible.forEach((kind, why) -> skipped.put(kind.label(), why));
    return skipped;
  }

  private void tick() {
    try {
      while (true) {
        TimeUnit.SECONDS.sleep(TICK_SECONDS);
        Console.say("%d transfers finished, %d under way, %d signatures", history.finished(), history.pending(), tap.all().size());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The last authority lives on small volumes, where they can be had. */
  private List<Integer> smallVolumes() throws IOException {
    int index = ChaosOptions.AUTHORITIES;
    boolean mounted =
        volumes.mount(Site.databaseFolder(options.folder(), index), Site.DATABASE_SIZE)
            && volumes.mount(Site.logFolder(options.folder(), index), Site.LOG_SIZE);
    return mounted ? List.of(index) : List.of();
  }

  private ClusterOptions clusterOptions(LoadTestKeys keys) {
    NetworkFiles files =
        new NetworkFiles(keys.network(), NetworkKind.REGULATED, KeyClass.LOAD_TEST, keys.dir(), keys.manifestKey());
    Set<Integer> together =
        IntStream.rangeClosed(1, ChaosOptions.AUTHORITIES)
            .filter(index -> !options.apart().contains(index))
            .boxed()
            .collect(Collectors.toUnmodifiableSet());
    return ClusterOptions.of(files, ChaosOptions.AUTHORITIES, options.shards(), options.folder())
        .withTogether(together)
        .withSpareShards(ChaosOptions.SPARE_SHARDS)
        .withJvm(JVM)
        .withProperties(Map.of("solidus.signer.policy-grace", GRACE, "solidus.signer.verify-threads", "1"), SHARD)
        .withDatabase(DATABASE);
  }

  @Override
  public void close() {
    traffic.close();
    validators.close();
    cluster.close();
    realm.close();
    volumes.close();
    Runtime.getRuntime().removeShutdownHook(unmount);
  }
}
