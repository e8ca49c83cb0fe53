package io.solidus.loadtest.chaos.run;

import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.Cluster;
import io.solidus.dev.processes.ClusterOptions;
import io.solidus.dev.processes.NetworkFiles;
import io.solidus.loadtest.chaos.ChaosOptions;
import io.solidus.loadtest.chaos.Console;
import io.solidus.loadtest.chaos.FaultKind;
import io.solidus.loadtest.chaos.RollOut;
import io.solidus.loadtest.chaos.Sabotage;
import io.solidus.loadtest.chaos.fault.Coverage;
import io.solidus.loadtest.chaos.fault.FaultRunner;
import io.solidus.loadtest.chaos.fault.FaultTarget;
import io.solidus.loadtest.chaos.fault.Faults;
import io.solidus.loadtest.chaos.fault.KeyFaults;
import io.solidus.loadtest.chaos.fault.RandomKills;
import io.solidus.loadtest.chaos.fault.RulesUpdates;
import io.solidus.loadtest.chaos.fault.Schedule;
import io.solidus.loadtest.chaos.fault.SmallVolumes;
import io.solidus.loadtest.chaos.load.CoinLedger;
import io.solidus.loadtest.chaos.load.History;
import io.solidus.loadtest.chaos.load.Lies;
import io.solidus.loadtest.chaos.load.RepeatedRequests;
import io.solidus.loadtest.chaos.load.ShardClients;
import io.solidus.loadtest.chaos.load.SignatureTap;
import io.solidus.loadtest.chaos.load.SigningClient;
import io.solidus.loadtest.chaos.load.TestNetwork;
import io.solidus.loadtest.chaos.load.Traffic;
import io.solidus.loadtest.chaos.load.Transfer;
import io.solidus.loadtest.chaos.oracle.AuthorityState;
import io.solidus.loadtest.chaos.oracle.AuthorityStateReader;
import io.solidus.loadtest.chaos.oracle.EventCheck;
import io.solidus.loadtest.chaos.oracle.InvariantChecks;
import io.solidus.loadtest.chaos.oracle.Outboxes;
import io.solidus.loadtest.chaos.oracle.RunRecord;
import io.solidus.loadtest.chaos.oracle.Verdict;
import io.solidus.loadtest.forge.LoadTestKeys;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.SanctionKey;
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

/** One run of the fault suite, from the first process to the verdict. */
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
          "5",
          // the broker waits that long for a killed shard before its successor gets an event
          "spring.kafka.consumer.properties.session.timeout.ms",
          "6000");
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

  /** The authority whose database has a standby. */
  private static final int REPLICATED = 3;

  private static final Duration WARM = Duration.ofMinutes(3);
  private static final Duration REST = Duration.ofMinutes(4);

  /** A run of hours keeps only a sample of its transfers to send again. */
  private static final int REMEMBERED = 5000;

  private static final Duration DRAIN = Duration.ofMinutes(3);
  private static final int WARM_TRANSFERS = 5;
  private static final long TICK_SECONDS = 10;

  private final ChaosOptions options;
  private final SmallVolumes volumes = new SmallVolumes();
  private final Thread unmount = new Thread(volumes::close);
  private final Collection<String> incidents = new ConcurrentLinkedQueue<>();
  private final Coverage coverage = new Coverage();
  private final CoinLedger ledger = new CoinLedger();
  private final SignatureTap tap = new SignatureTap();
  private final History history = new History(REMEMBERED);
  private final Lies lies = new Lies();
  private final ClassArchive archive;
  private final Cluster cluster;
  private final TestNetwork network;
  private final ShardClients shardClients;
  private final SigningClient client;
  private final Traffic traffic;
  private final FaultTarget target;
  private final KeyFaults keyFaults;

  private ChaosRun(ChaosOptions options) throws IOException {
    this.options = options;
    Runtime.getRuntime().addShutdownHook(unmount);
    LoadTestKeys keys =
        LoadTestKeys.cached(
            new NetworkId("load-test"), NetworkKind.REGULATED, ChaosOptions.AUTHORITIES);
    List<Integer> small = smallVolumes();
    this.archive = new ClassArchive(options.folder());
    this.cluster = Cluster.start(clusterOptions(keys), Cluster.policy(PERIOD), List.of(LISTED));
    this.network = TestNetwork.open(keys, cluster.policy(), cluster.checkpoint(), List.of(LISTED));
    this.shardClients = new ShardClients(cluster, options.shards(), ChaosOptions.SPARE_SHARDS);
    this.client =
        new SigningClient(shardClients, tap, history, lies, network.committee().weakQuorum());
    this.traffic =
        new Traffic(
            network, ledger, client, history, new Traffic.Plan(options.seed(), options.crowd()));
    this.target =
        new FaultTarget(
            cluster,
            network,
            volumes,
            options.shards(),
            options.apart().stream().sorted().toList(),
            small,
            options.folder());
    this.keyFaults = new KeyFaults(target, keys, tap);
  }

  /** Runs the suite and cleans up. */
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
    RulesUpdates rulesUpdates = new RulesUpdates(target, List.of(LISTED));
    FaultRunner runner =
        new FaultRunner(
            target,
            new Faults(target, rulesUpdates, keyFaults, lies, coverage),
            history,
            tap,
            incidents,
            coverage);
    Map<FaultKind, String> impossible = target.impossible();
    double killMinutes;
    try {
      Await.until("first transfers are finished", WARM, () -> history.finished() >= WARM_TRANSFERS);
      killMinutes = strike(runner, impossible);
      Console.say("no more faults; waiting for transfers under way");
      kafkaComesBack(rulesUpdates);
      traffic.finish(REST);
    } finally {
      ticker.interrupt();
    }
    Collection<Transfer> asked = history.finishedTransfers();
    long repeated = RepeatedRequests.ask(asked, tap, client, incidents);
    stop();
    EventCheck events = events();
    Verdict verdict = testChecks(judge(events));
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Report(
        options,
        seconds,
        runner.count(),
        runner.byKind(),
        skipped(impossible),
        runner.overlapping(),
        coverage,
        rulesUpdates.arrived(),
        events,
        lies.told(),
        coverage.allKills() / killMinutes,
        runner.restartsNeeded(),
        history.finished(),
        traffic.equivocations(),
        tap.all().size(),
        repeated,
        history.refusalCounts(),
        verdict);
  }

  /** Runs the faults; returns the minutes that they took. */
  private double strike(FaultRunner runner, Map<FaultKind, String> impossible)
      throws InterruptedException {
    if (options.length().isLong()) {
      // a shard loads more classes than a signer
      AuthorityProcesses authority =
          cluster.authority(options.apart().stream().findFirst().orElse(1));
      archive.make(authority, target.shardProcess(authority.index(), 0));
    }
    long start = System.nanoTime();
    long end = start + TimeUnit.SECONDS.toNanos(options.length().seconds());
    if (options.length().kills() > 0) {
      new RandomKills(target, history, tap, coverage, incidents, options.seed())
          .run(options.length().kills(), end);
    } else {
      runSchedule(runner, impossible, end);
    }
    return (System.nanoTime() - start) / (double) TimeUnit.MINUTES.toNanos(1);
  }

  private void runSchedule(FaultRunner runner, Map<FaultKind, String> impossible, long end)
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
        new Schedule(options.seed(), kinds, target::targets, options.shards(), options.overlap());
    long most =
        Math.min(options.length().maxFaults(), (long) options.length().rounds() * kinds.size());
    while (System.nanoTime() - end < 0 && runner.count() < most) {
      runner.run(schedule.next());
    }
  }

  /**
   * Starts Kafka again; a policy and a checkpoint published on Kafka alone must reach every
   * authority.
   */
  private void kafkaComesBack(RulesUpdates rulesUpdates) {
    cluster
        .kafka()
        .ifPresent(kafka -> {
          try {
            kafka.restart();
            rulesUpdates.tell(true, true).run();
            rulesUpdates.tell(false, true).run();
          } catch (IllegalStateException e) {
            incidents.add("Kafka: " + e.getMessage());
          }
        });
  }

  /** Stops all processes when the outboxes are empty. */
  private void stop() {
    cluster.kafka().ifPresent(kafka -> drain());
    Console.say("stopping all processes and reading what they leave");
    cluster.stopAuthorities();
    Sabotage sabotage = options.sabotage();
    if (sabotage != null) {
      sabotage.commit(cluster.authority(2));
    }
  }

  /** Compares the outboxes with Kafka; null without Kafka. */
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
   * Breaks the state of a run without violations in every known way, and adds a violation for each
   * way that the checks do not detect.
   */
  private Verdict testChecks(Verdict innocent) {
    if (!options.selfTest() || !innocent.ok()) {
      return innocent;
    }
    List<String> unnoticed = new ArrayList<>();
    Set<String> known = Set.of();
    int authority = 0;
    for (Sabotage sabotage : Sabotage.values()) {
      authority = authority % ChaosOptions.AUTHORITIES + 1;
      if (sabotage == Sabotage.INVENT_EVENT && cluster.kafka().isEmpty()) {
        continue;
      }
      sabotage.commit(cluster.authority(authority));
      Set<String> violations = Set.copyOf(judge(events()).violations());
      if (known.containsAll(violations)) {
        unnoticed.add("self-test: not detected: " + sabotage);
      } else {
        Console.say("self-test: %s is detected", sabotage);
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

  /** Mounts small volumes for the last authority, where that is possible. */
  private List<Integer> smallVolumes() throws IOException {
    int index = ChaosOptions.AUTHORITIES;
    boolean mounted =
        volumes.mount(
                FaultTarget.databaseFolder(options.folder(), index), FaultTarget.DATABASE_SIZE)
            && volumes.mount(FaultTarget.logFolder(options.folder(), index), FaultTarget.LOG_SIZE);
    return mounted ? List.of(index) : List.of();
  }

  private ClusterOptions clusterOptions(LoadTestKeys keys) {
    NetworkFiles files = RollOut.files(keys);
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
        .withFaultyMachines()
        .withReplicated(Set.of(REPLICATED))
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
    shardClients.close();
    cluster.close();
    keyFaults.close();
    network.close();
    volumes.close();
    Runtime.getRuntime().removeShutdownHook(unmount);
  }
}
