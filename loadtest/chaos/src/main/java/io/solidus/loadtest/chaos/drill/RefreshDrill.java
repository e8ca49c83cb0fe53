package io.solidus.loadtest.chaos.drill;

import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.GatewayProcess;
import io.solidus.dev.processes.NetworkFiles;
import io.solidus.loadtest.chaos.Console;
import io.solidus.loadtest.chaos.load.Operation;
import io.solidus.loadtest.chaos.load.SeededRandom;
import io.solidus.loadtest.chaos.load.SigningClient;
import io.solidus.loadtest.chaos.load.Transfer;
import io.solidus.loadtest.chaos.load.Wallet;
import io.solidus.loadtest.chaos.oracle.Verdict;
import io.solidus.loadtest.forge.LoadTestKeys;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.Policy;
import io.solidus.prover.KeySet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
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

/**
 * Refreshes the shares of a committee under load, one authority after the other. Before it, some
 * phones are lost, a core is left with the signatures of two authorities, and a payout waits. A new
 * policy then makes the evidence of all of them too old. No payment may fail, every phone is
 * restored, the core is finished, the payout is paid, and never is more than one authority away.
 */
final class RefreshDrill implements AutoCloseable {

  private static final Duration LONG = Duration.ofMinutes(3);
  private static final Duration REST = Duration.ofMinutes(4);
  private static final Duration GRACE = Duration.ofSeconds(15);
  private static final Duration WATCH_EVERY = Duration.ofMillis(300);
  private static final String GATEWAY_DATABASE = "gateway";
  private static final int GATEWAYS = 2;
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
   * The options of the drill.
   *
   * @param apart authorities with a process for the signer and each shard
   * @param perSecond payments that arrive
   * @param lost phones to restore
   * @param overlap how long two epochs live side by side
   * @param toTheEnd waits until the former shares are overwritten
   */
  record Options(
      long seed,
      Set<Integer> apart,
      double perSecond,
      int crowd,
      int lost,
      Duration overlap,
      boolean toTheEnd,
      Path folder) {}

  private final Options options;
  private final DrillFixture fixture;
  private final List<GatewayProcess> gateways = new ArrayList<>();
  private final List<Wallet> own = new ArrayList<>();
  private final Map<String, Object> figures = new LinkedHashMap<>();

  private RefreshDrill(Options options) {
    this.options = options;
    this.fixture = new DrillFixture(options.folder(), options.apart(), Map.of(), PROPERTIES);
    fixture.database(1).createDatabase(GATEWAY_DATABASE);
    for (int number = 1; number <= GATEWAYS; number++) {
      gateways.add(
          new GatewayProcess(
              fixture.options,
              fixture.cluster.authorities(),
              number,
              fixture.database(1),
              GATEWAY_DATABASE));
    }
    gateways.forEach(GatewayProcess::awaitReady);
  }

  static DrillReport run(Options options) throws InterruptedException {
    Console.say(
        "seed %d: starting %d authorities and %d gateways",
        options.seed(), DrillFixture.AUTHORITIES, GATEWAYS);
    try (RefreshDrill drill = new RefreshDrill(options)) {
      return drill.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private DrillReport run() throws InterruptedException, IOException {
    long start = System.nanoTime();
    try (GatewayLoad load =
        new GatewayLoad(fixture, gateways, options.perSecond(), options.crowd(), options.seed())) {
      Await.until(
          "first payments are finished", LONG, () -> load.counts().finished() >= options.lost());
      List<Transfer> lost =
          fixture.history.finishedTransfers().stream().limit(options.lost()).toList();
      Transfer payout = draft(50);
      List<PartialSignature> evidence = sign(payout, Set.of(1, 2, 3));
      finish(payout, evidence);
      Transfer locked = draft(0);
      sign(locked, Set.of(1, 2));

      LoadTestKeys fresh =
          fixture.keys.refreshed(options.folder().resolve("refreshed"), options.overlap());
      KeySet opened = fresh.open();
      try (opened) {
        Committee committee = opened.committee();
        fixture.network.follow(committee);
        changePolicy();
        long begun = System.nanoTime();
        int away = rollUnderWatch(DrillFixture.files(fresh), load);
        figures.put("mostAuthoritiesAway", away);
        fixture.require(away <= 1, "%d authorities were away at once", away);
        figures.put("rolledInSeconds", Math.round((System.nanoTime() - begun) / 1e9));
        Instant until = committee.former().getFirst().sharesUntil();
        fixture.require(
            Instant.now().isBefore(until), "the former shares ended before all had fresh ones");
        Thread.sleep(Math.max(0, GRACE.toMillis() - (System.nanoTime() - begun) / 1_000_000));
        restore(lost, load, committee.epoch());
        fixture.require(load.carryOut(locked), "the core of two authorities is locked");
        requirePaid(payout, evidence, committee);
        if (options.toTheEnd()) {
          awaitEnd(until);
          restore(lost, load, committee.epoch());
        }
      }
      return judge(load, load.finish(REST), start);
    }
  }

  private Transfer draft(long withdrawn) {
    Wallet wallet =
        new Wallet(
            fixture.network,
            fixture.ledger,
            new SeededRandom(options.seed(), "own " + own.size()),
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
  private void changePolicy() {
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

  /** Replaces every process, and returns the most authorities that were away at one moment. */
  private int rollUnderWatch(NetworkFiles fresh, GatewayLoad load) throws InterruptedException {
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
      for (AuthorityProcesses authority : fixture.cluster.authorities()) {
        authority.refresh(fresh);
        // shards before the signer: a shard knows former epochs, and not newer ones
        for (String name : authority.names().reversed()) {
          Console.say("authority %d: %s with fresh keys", authority.index(), name);
          fixture.require(
              authority.terminate(name),
              "%s of authority %d had to be killed",
              name,
              authority.index());
          authority.start(name);
          fixture.cluster.awaitServing(authority);
          awaitAnswers(authority.index());
        }
      }
      for (GatewayProcess gateway : gateways) {
        Console.say("%s with fresh keys", gateway.name());
        load.takeOut(gateway);
        fixture.require(gateway.terminate(), "%s had to be killed", gateway.name());
        gateway.use(fresh);
        gateway.start();
        load.putIn(gateway);
      }
    } finally {
      rolled.set(true);
      watch.join();
    }
    return most.get();
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

  /** Restores phones: their coins are signed anew, by shares of one epoch. */
  private void restore(List<Transfer> lost, GatewayLoad load, int epoch)
      throws IOException, InterruptedException {
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
  private void requirePaid(Transfer payout, List<PartialSignature> evidence, Committee committee) {
    Outputs outputs = Outputs.of(fixture.network.keys().network(), payout.statement());
    long good =
        committee.votesFor(payout.core(), evidence, committee.n(), Instant.now()).stream()
            .filter(vote -> fixture.network.suite().checkPoints(committee, outputs, vote))
            .count();
    figures.put("payoutVotes", good);
    fixture.require(good >= committee.quorum(), "the payout that waited has %d votes", good);
  }

  /** Waits until every signer has overwritten its former share. */
  private void awaitEnd(Instant until) {
    Console.say("waiting for the end of the former shares at %s", until);
    Await.until(
        "the former shares are overwritten",
        options.overlap().plus(LONG),
        () ->
            fixture.cluster.authorities().stream()
                .allMatch(authority ->
                    read(authority.log(authority.names().getFirst()))
                        .contains("the share of epoch 0 was overwritten")));
    fixture.require(!Instant.now().isBefore(until), "a former share ended before its time");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private DrillReport judge(GatewayLoad load, GatewayLoad.Counts counts, long start)
      throws InterruptedException {
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
    figures.put("perSecond", options.perSecond());
    figures.put("payments", counts.begun());
    figures.put("finished", counts.finished());
    figures.put("failed", counts.failed());
    figures.put("retries", counts.retries());
    return new DrillReport(
        "refresh",
        options.seed(),
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
