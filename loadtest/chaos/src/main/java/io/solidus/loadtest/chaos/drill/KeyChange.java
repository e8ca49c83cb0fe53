package io.solidus.loadtest.chaos.drill;

import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.GatewayProcess;
import io.solidus.dev.processes.NetworkFiles;
import io.solidus.loadtest.chaos.Console;
import io.solidus.loadtest.chaos.RollOut;
import io.solidus.loadtest.chaos.load.Operation;
import io.solidus.loadtest.chaos.load.SeededRandom;
import io.solidus.loadtest.chaos.load.SigningClient;
import io.solidus.loadtest.chaos.load.Transfer;
import io.solidus.loadtest.chaos.load.Wallet;
import io.solidus.loadtest.chaos.oracle.Verdict;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.Policy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * A committee with two gateways whose keys change under load: replaces its processes one authority
 * after the other, and checks that nothing is lost of what was begun before.
 */
final class KeyChange implements AutoCloseable {

  static final Duration LONG = Duration.ofMinutes(3);

  /** Evidence counts so long under a policy that was superseded. */
  static final Duration GRACE = Duration.ofSeconds(15);

  private static final Duration REST = Duration.ofMinutes(4);
  private static final Duration WATCH_EVERY = Duration.ofMillis(300);
  private static final int IN_A_ROW = 4;
  private static final long START_MINOR = 1_000_000;
  private static final Map<String, String> PROPERTIES =
      Map.of(
          "solidus.signer.policy-grace",
          GRACE.toSeconds() + "s",
          "solidus.validator.policy-grace",
          GRACE.toSeconds() + "s",
          "spring.lifecycle.timeout-per-shutdown-phase",
          "20s",
          "spring.grpc.server.shutdown.grace-period",
          "10s");

  /**
   * What was begun before the change.
   *
   * @param lost transfers whose phones are lost
   * @param payout a finished withdrawal whose payout waits, and its evidence
   * @param locked cores that two authorities have signed
   */
  record Begun(
      List<Transfer> lost,
      Transfer payout,
      List<PartialSignature> evidence,
      List<Transfer> locked) {}

  final DrillFixture fixture;
  final Map<String, Object> figures = new LinkedHashMap<>();
  private final long seed;
  private final List<GatewayProcess> gateways;
  private final List<Wallet> own = new ArrayList<>();
  private final long start = System.nanoTime();
  private int mostAway;

  KeyChange(Path folder, Set<Integer> apart, long seed) {
    Console.say(
        "seed %d: starting %d authorities and %d gateways",
        seed, DrillFixture.AUTHORITIES, DrillFixture.GATEWAYS);
    this.seed = seed;
    this.fixture = new DrillFixture(folder, apart, Map.of(), PROPERTIES);
    this.gateways = fixture.startGateways();
  }

  GatewayLoad load(double perSecond, int crowd) {
    figures.put("perSecond", perSecond);
    return new GatewayLoad(fixture, gateways, perSecond, crowd, seed);
  }

  /** Begins what the change of keys must not lose. */
  Begun begin(GatewayLoad load, int lost, int locked) throws InterruptedException {
    Await.until("first payments are finished", LONG, () -> load.counts().finished() >= lost);
    List<Transfer> phones = fixture.history.finishedTransfers().stream().limit(lost).toList();
    Transfer payout = draft(50);
    List<PartialSignature> evidence = sign(payout, Set.of(1, 2, 3));
    finish(payout, evidence);
    List<Transfer> cores = new ArrayList<>();
    for (int i = 0; i < locked; i++) {
      Transfer core = draft(0);
      sign(core, Set.of(1, 2));
      cores.add(core);
    }
    return new Begun(phones, payout, evidence, cores);
  }

  private Transfer draft(long withdrawn) {
    Wallet wallet =
        new Wallet(
            fixture.network,
            fixture.ledger,
            new SeededRandom(seed, "own " + own.size()),
            START_MINOR);
    own.add(wallet);
    Transfer transfer = wallet.draft(new Wallet.Intent(wallet, 10, withdrawn, List.of()));
    fixture.ledger.drafted(transfer);
    fixture.history.invoke(transfer);
    return transfer;
  }

  /** Has exactly these authorities sign. */
  private List<PartialSignature> sign(Transfer transfer, Collection<Integer> authorities)
      throws InterruptedException {
    long end = System.nanoTime() + LONG.toNanos();
    SigningClient.Result result =
        fixture.client.collect(
            transfer,
            authorities,
            soFar -> soFar.signed().size() == authorities.size(),
            () -> System.nanoTime() - end > 0);
    fixture.require(
        result.signed().size() == authorities.size(), "authorities refused: %s", result);
    return List.copyOf(result.signed().values());
  }

  private void finish(Transfer transfer, List<PartialSignature> partials) {
    Map<Integer, PartialSignature> signed = new LinkedHashMap<>();
    partials.forEach(partial -> signed.put(partial.authority(), partial));
    transfer.payer().finish(transfer, transfer.signatures(signed));
    fixture.history.end(transfer, Operation.Outcome.OK);
  }

  /** A policy that supersedes the one of all evidence so far. */
  void changePolicy() {
    Policy was = fixture.network.rules().policy();
    Policy next =
        new Policy(
            was.version() + 1,
            was.period(),
            was.maxPerTransfer(),
            was.maxPerPeriod(),
            was.maxHeld(),
            was.maxEscrow(),
            was.maxTransfersPerPeriod(),
            was.mintCapPerDay(),
            System.currentTimeMillis());
    fixture.cluster.rules().publish(next);
    fixture.network.follow(next);
  }

  /** Replaces the processes of every authority, which reads its configuration anew. */
  void roll() throws InterruptedException {
    roll(RollOut::oneByOne);
  }

  /**
   * Replaces every process of the authorities by one with other keys.
   *
   * @param newNoteKey an authority that stops as a whole, because its processes know each other by
   *     a token of the note key; 0 for none
   */
  void roll(NetworkFiles fresh, int newNoteKey) throws InterruptedException {
    roll(authority -> RollOut.withKeys(authority, fresh, newNoteKey));
  }

  /** Replaces the gateways by ones with other keys. */
  void rollGateways(NetworkFiles fresh, GatewayLoad load) {
    for (GatewayProcess gateway : gateways) {
      Console.say("%s with fresh keys", gateway.name());
      load.takeOut(gateway);
      fixture.require(gateway.terminate(), "%s had to be killed", gateway.name());
      gateway.use(fresh);
      gateway.start();
      load.putIn(gateway);
    }
  }

  /** Replaces groups of processes, and requires that no two authorities are away at one moment. */
  private void roll(Function<AuthorityProcesses, List<List<String>>> groups)
      throws InterruptedException {
    long begun = System.nanoTime();
    AtomicBoolean rolled = new AtomicBoolean();
    AtomicInteger most = new AtomicInteger();
    Thread watch =
        Thread.ofPlatform()
            .name("watch")
            .daemon()
            .start(() -> {
              while (!rolled.get()) {
                most.accumulateAndGet(away(), Math::max);
                sleep();
              }
            });
    try {
      RollOut.run(
          fixture.cluster,
          groups,
          (authority, name) ->
              fixture.require(
                  false, "%s of authority %d had to be killed", name, authority.index()),
          authority -> awaitAnswers(authority.index()));
    } finally {
      rolled.set(true);
      watch.join();
    }
    mostAway = Math.max(mostAway, most.get());
    figures.put("mostAuthoritiesAway", mostAway);
    fixture.require(most.get() <= 1, "%d authorities were away at once", most.get());
    Console.say("rolled in %d s", Math.round((System.nanoTime() - begun) / 1e9));
  }

  /** Authorities of which some shard does not answer. */
  private int away() {
    int away = 0;
    for (AuthorityProcesses authority : fixture.cluster.authorities()) {
      for (int shard = 0; shard < DrillFixture.SHARDS; shard++) {
        if (fixture.cluster.status(authority, shard).isEmpty()) {
          away++;
          break;
        }
      }
    }
    return away;
  }

  private static void sleep() {
    try {
      Thread.sleep(WATCH_EVERY);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until every gateway has got signatures of an authority again. */
  private void awaitAnswers(int authority) {
    for (GatewayProcess gateway : gateways) {
      double before = signed(gateway, authority);
      Await.until(
          gateway.name() + " has signatures of authority " + authority,
          LONG,
          () -> signed(gateway, authority) >= before + IN_A_ROW);
    }
  }

  private static double signed(GatewayProcess gateway, int authority) {
    String name = "solidus.gateway.authority.answers authority=" + authority + ",outcome=signed";
    return gateway.timers().entrySet().stream()
        .filter(each -> each.getKey().startsWith(name))
        .mapToDouble(each -> each.getValue().total())
        .sum();
  }

  /** Answers of authorities that gateways took for proofs of misbehaviour, since they started. */
  long alarms() {
    return (long)
        gateways.stream()
            .flatMap(gateway -> gateway.timers().entrySet().stream())
            .filter(each -> each.getKey().startsWith("solidus.gateway.culprits"))
            .mapToDouble(each -> each.getValue().total())
            .sum();
  }

  /** Waits until evidence under a policy that was superseded does not count any more. */
  static void awaitGrace(long sinceNanos) throws InterruptedException {
    Thread.sleep(Math.max(0, GRACE.toMillis() - (System.nanoTime() - sinceNanos) / 1_000_000));
  }

  /** Restores phones: their coins are signed anew, by shares of one epoch. */
  void restore(Begun begun, GatewayLoad load, int epoch) throws IOException, InterruptedException {
    List<Transfer> lost = begun.lost();
    int restored = 0;
    for (Transfer transfer : lost) {
      Map<Integer, PartialSignature> signed = load.restore(transfer);
      boolean fresh =
          signed.values().stream().filter(partial -> partial.shareEpoch() == epoch).count()
              >= fixture.network.committee().quorum();
      if (fresh && transfer.signatures(signed).size() == 2) {
        restored++;
      }
    }
    figures.put("restored", restored);
    fixture.require(restored == lost.size(), "%d of %d phones restored", restored, lost.size());
  }

  /** The redemption desk's rule on the signatures of before the refresh. */
  void requirePaid(Begun begun, Committee committee) {
    Transfer payout = begun.payout();
    Outputs outputs = Outputs.of(fixture.network.keys().network(), payout.statement());
    long good =
        committee.votesFor(payout.core(), begun.evidence(), committee.n(), Instant.now()).stream()
            .filter(vote -> fixture.network.suite().checkPoints(committee, outputs, vote))
            .count();
    figures.put("payoutVotes", good);
    fixture.require(good >= committee.quorum(), "the payout that waited has %d votes", good);
  }

  /** Ends the load and checks the payments and what all processes leave. */
  DrillReport judge(String drill, GatewayLoad load) throws InterruptedException {
    GatewayLoad.Counts counts = load.finish(REST);
    fixture.require(counts.failed() == 0, "%d payments failed", counts.failed());
    fixture.require(counts.broken() == 0, "%d connections broke", counts.broken());
    fixture.require(
        counts.begun() == counts.finished(),
        "%d of %d payments finished",
        counts.finished(),
        counts.begun());
    long repeated = fixture.askAgain();
    long worth = load.worthMinor() + own.stream().mapToLong(Wallet::worth).sum();
    Verdict verdict = fixture.judge(worth, 0);
    figures.put("payments", counts.begun());
    figures.put("finished", counts.finished());
    figures.put("failed", counts.failed());
    figures.put("retries", counts.retries());
    return new DrillReport(
        drill,
        seed,
        (System.nanoTime() - start) / 1e9,
        fixture.history.finished(),
        fixture.tap.all().size(),
        repeated,
        fixture.history.refusalCounts(),
        figures,
        verdict);
  }

  @Override
  public void close() {
    gateways.forEach(GatewayProcess::close);
    fixture.close();
  }
}
