package io.solidus.loadtest.chaos.run;

import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.Cluster;
import io.solidus.dev.processes.ClusterOptions;
import io.solidus.dev.processes.NetworkFiles;
import io.solidus.loadtest.chaos.ChaosOptions;
import io.solidus.loadtest.chaos.Console;
import io.solidus.loadtest.chaos.FaultKind;
import io.solidus.loadtest.chaos.Sabotage;
import io.solidus.loadtest.chaos.fault.Announcements;
import io.solidus.loadtest.chaos.fault.Coverage;
import io.solidus.loadtest.chaos.fault.Drill;
import io.solidus.loadtest.chaos.fault.Faults;
import io.solidus.loadtest.chaos.fault.KillSpree;
import io.solidus.loadtest.chaos.fault.Schedule;
import io.solidus.loadtest.chaos.fault.Site;
import io.solidus.loadtest.chaos.fault.Volumes;
import io.solidus.loadtest.chaos.load.Book;
import io.solidus.loadtest.chaos.load.Collector;
import io.solidus.loadtest.chaos.load.History;
import io.solidus.loadtest.chaos.load.Realm;
import io.solidus.loadtest.chaos.load.Repeats;
import io.solidus.loadtest.chaos.load.Tap;
import io.solidus.loadtest.chaos.load.Traffic;
import io.solidus.loadtest.chaos.load.Transfer;
import io.solidus.loadtest.chaos.load.Validators;
import io.solidus.loadtest.chaos.oracle.Checks;
import io.solidus.loadtest.chaos.oracle.EventCheck;
import io.solidus.loadtest.chaos.oracle.Findings;
import io.solidus.loadtest.chaos.oracle.Holdings;
import io.solidus.loadtest.chaos.oracle.HoldingsReader;
import io.solidus.loadtest.chaos.oracle.Outboxes;
import io.solidus.loadtest.chaos.oracle.Verdict;
import io.solidus.loadtest.forge.LoadTestKeys;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.SanctionKey;
import io.solidus.prover.KeyClass;
import java.io.IOException;
import java.nio.file.Path;
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
import org.jspecify.annotations.Nullable;

/** One run from the first process to the verdict. */
public final class ChaosRun implements AutoCloseable {

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
  private static final String GRACE = FaultKind.RULES_GRACE_MILLIS + "ms";
  private static final Map<String, String> SHARD =
      Map.of(
          "solidus.validator.policy-grace",
          GRACE,
          "spring.datasource.hikari.maximum-pool-size",
          "5");
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
  private static final Duration WARM = Duration.ofSeconds(180);
  private static final Duration REST = Duration.ofSeconds(240);

  /** Of a run of hours not every transfer is asked for again. */
  private static final int REMEMBERED = 5000;

  private static final Duration DRAIN = Duration.ofSeconds(180);
  private static final int WARM_TRANSFERS = 5;
  private static final long TICK_SECONDS = 10;

  private final ChaosOptions options;
  private final Volumes volumes = new Volumes();
  private final Thread unmount = new Thread(volumes::close);
  private final Collection<String> incidents = new ConcurrentLinkedQueue<>();
  private final Coverage coverage = new Coverage();
  private final Book book = new Book();
  private final Tap tap = new Tap();
  private final History history = new History(REMEMBERED);
  private final ClassArchive archive;
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
    LoadTestKeys keys =
        LoadTestKeys.cached(network, NetworkKind.REGULATED, ChaosOptions.AUTHORITIES);
    List<Integer> small = smallVolumes();
    this.archive = new ClassArchive(options.folder());
    this.cluster = Cluster.start(clusterOptions(keys), Cluster.policy(PERIOD), List.of(LISTED));
    this.realm = Realm.open(keys, cluster.policy(), cluster.checkpoint(), List.of(LISTED));
    this.validators = new Validators(cluster, options.shards(), ChaosOptions.SPARE_SHARDS);
    this.collector = new Collector(validators, tap, history, realm.committee().weakQuorum());
    this.traffic =
        new Traffic(
            realm, book, collector, history, new Traffic.Plan(options.seed(), options.crowd()));
    this.site =
        new Site(
            cluster,
            realm,
            volumes,
            options.shards(),
            options.apart().stream().sorted().toList(),
            small,
            options.folder());
  }

  /** Runs it and cleans up. */
  static Report run(ChaosOptions options) throws IOException, InterruptedException {
    Console.say(
        "seed %d: starting %d authorities of %d shards",
        options.seed(), ChaosOptions.AUTHORITIES, options.shards());
    try (ChaosRun run = new ChaosRun(options)) {
      return run.run();
    }
  }

  private Report run() throws InterruptedException {
    long start = System.nanoTime();
    Console.say(
        "payments begin: %d wallets, %d of them dishonest",
        options.crowd().all(), options.crowd().equivocators());
    traffic.start();
    Thread ticker = Thread.ofVirtual().start(this::tick);
    Announcements announcements = new Announcements(site, List.of(LISTED));
    Drill drill =
        new Drill(
            site, new Faults(site, announcements, coverage), history, tap, incidents, coverage);
    Map<FaultKind, String> impossible = site.impossible();
    double killMinutes;
    try {
      Await.until("first transfers are finished", WARM, () -> history.finished() >= WARM_TRANSFERS);
      killMinutes = strike(drill, impossible);
      Console.say("no more faults; what is under way has to finish");
      kafkaComesBack(announcements);
      traffic.finish(REST);
    } finally {
      ticker.interrupt();
    }
    Collection<Transfer> asked = history.finishedTransfers();
    long repeated = Repeats.ask(asked, tap, collector, incidents);
    stop();
    EventCheck events = events();
    Verdict verdict = testChecks(judge(events));
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Report(
        options,
        seconds,
        drill.count(),
        drill.byKind(),
        skipped(impossible),
        drill.overlapping(),
        coverage,
        announcements.arrived(),
        events,
        coverage.allKills() / killMinutes,
        drill.restartsNeeded(),
        history.finished(),
        traffic.equivocations(),
        tap.all().size(),
        repeated,
        history.refusalCounts(),
        verdict);
  }

  /**
   * @return how many minutes faults struck
   */
  private double strike(Drill drill, Map<FaultKind, String> impossible)
      throws InterruptedException {
    if (options.length().isLong()) {
      // whoever holds a shard has more classes than a signer
      AuthorityProcesses authority =
          cluster.authority(options.apart().stream().findFirst().orElse(1));
      archive.make(authority, site.shardProcess(authority.index(), 0));
    }
    long start = System.nanoTime();
    long end = start + TimeUnit.SECONDS.toNanos(options.length().seconds());
    if (options.length().kills() > 0) {
      new KillSpree(site, history, tap, coverage, incidents, options.seed())
          .run(options.length().kills(), end);
    } else {
      drill(drill, impossible, end);
    }
    return (System.nanoTime() - start) / (double) TimeUnit.MINUTES.toNanos(1);
  }

  private void drill(Drill drill, Map<FaultKind, String> impossible, long end)
      throws InterruptedException {
    List<FaultKind> kinds =
        new ArrayList<>(options.kinds().isEmpty() ? List.of(FaultKind.values()) : options.kinds());
    impossible.forEach((kind, why) -> {
      if (kinds.remove(kind)) {
        Console.say("SKIPPED %s: %s", kind.label(), why);
      }
    });
    Console.say("faults of: %s, %d at a time", FaultKind.labels(kinds), options.overlap());
    Schedule schedule =
        new Schedule(options.seed(), kinds, site::targets, options.shards(), options.overlap());
    long most =
        Math.min(options.length().maxFaults(), (long) options.length().rounds() * kinds.size());
    while (System.nanoTime() - end < 0 && drill.count() < most) {
      drill.run(schedule.next());
    }
  }

  /**
   * A policy and a checkpoint that only Kafka tells have to reach everybody, however often it was
   * away.
   */
  private void kafkaComesBack(Announcements announcements) {
    cluster
        .kafka()
        .ifPresent(kafka -> {
          try {
            kafka.restart();
            announcements.tell(true, true).run();
            announcements.tell(false, true).run();
          } catch (IllegalStateException e) {
            incidents.add("Kafka: " + e.getMessage());
          }
        });
  }

  /** Ends all processes when the outboxes are empty. */
  private void stop() {
    cluster.kafka().ifPresent(kafka -> drain());
    Console.say("stopping all processes and reading what they leave");
    cluster.authorities().forEach(AuthorityProcesses::close);
    Sabotage sabotage = options.sabotage();
    if (sabotage != null) {
      sabotage.commit(cluster.authority(2));
    }
  }

  /** Whether Kafka has what the outboxes hold; null without Kafka. */
  private @Nullable EventCheck events() {
    return cluster
        .kafka()
        .map(kafka -> {
          List<Outboxes.Outbox> outboxes =
              cluster.authorities().stream()
                  .flatMap(authority -> Outboxes.read(authority).stream())
                  .toList();
          return EventCheck.judge(outboxes, Outboxes.arrived(kafka.bootstrapServers()));
        })
        .orElse(null);
  }

  /**
   * Breaks what an innocent run left in every way there is, and adds a violation for each that the
   * checks do not notice.
   */
  private Verdict testChecks(Verdict innocent) {
    if (!options.selfTest() || !innocent.ok()) {
      return innocent;
    }
    List<String> unnoticed = new ArrayList<>();
    Set<String> known = Set.of();
    for (Sabotage sabotage : Sabotage.values()) {
      if (sabotage == Sabotage.INVENT_EVENT && cluster.kafka().isEmpty()) {
        continue;
      }
      sabotage.commit(cluster.authority(1 + sabotage.ordinal() % ChaosOptions.AUTHORITIES));
      Set<String> violations = Set.copyOf(judge(events()).violations());
      if (known.containsAll(violations)) {
        unnoticed.add("self-test: nobody notices " + sabotage);
      } else {
        Console.say("self-test: %s is noticed", sabotage);
      }
      known = violations;
    }
    return new Verdict(
        innocent.lost(), innocent.doubled(), innocent.driftMinor(), List.copyOf(unnoticed));
  }

  private void drain() {
    try {
      Outboxes.awaitDrained(cluster, DRAIN);
    } catch (IllegalStateException e) {
      incidents.add("Kafka: " + e.getMessage());
    }
  }

  private Verdict judge(@Nullable EventCheck events) {
    List<String> all = new ArrayList<>(incidents);
    all.addAll(tap.alarms());
    if (events != null) {
      all.addAll(events.violations());
    }
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
            traffic.worthMinor(),
            traffic.unsettled(),
            all));
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
        Console.say(
            "%d transfers finished, %d under way, %d signatures",
            history.finished(), history.pending(), tap.all().size());
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
        new NetworkFiles(
            keys.network(),
            NetworkKind.REGULATED,
            KeyClass.LOAD_TEST,
            keys.dir(),
            keys.manifestKey());
    Set<Integer> together =
        IntStream.rangeClosed(1, ChaosOptions.AUTHORITIES)
            .filter(index -> !options.apart().contains(index))
            .boxed()
            .collect(Collectors.toUnmodifiableSet());
    Path library = options.kafkaLibrary();
    ClusterOptions plain =
        ClusterOptions.of(files, ChaosOptions.AUTHORITIES, options.shards(), options.folder());
    return (library == null ? plain : plain.withKafka(library))
        .withTogether(together)
        .withSpareShards(ChaosOptions.SPARE_SHARDS)
        .withJvm(jvm())
        .withProperties(
            Map.of("solidus.signer.policy-grace", GRACE, "solidus.signer.verify-threads", "1"),
            SHARD)
        .withDatabase(DATABASE);
  }

  private List<String> jvm() {
    List<String> jvm = new ArrayList<>(JVM);
    jvm.add(archive.option());
    return jvm;
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
