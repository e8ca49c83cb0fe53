package io.solidus.loadtest.bench;

import io.solidus.dev.processes.GatewayProcess;
import io.solidus.dev.processes.Signals;
import io.solidus.loadtest.forge.MachineDescription;
import io.solidus.loadtest.forge.RestTransfer;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.Codecs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench abuse}: how long honest payments take alone and while strangers flood the gateway or
 * the validators with requests that cost them nothing. Phases without and with a flood take turns.
 */
@Command(
    name = "abuse",
    mixinStandardHelpOptions = true,
    description = "Latency of honest payments through a gateway, alone and under floods.")
final class AbuseCommand implements Callable<Integer> {

  private static final int AUTHORITIES = 4;
  private static final String TRANSFERS = "/v1/transfers";

  /** The flood begins before the payments that are measured, and ends after them. */
  private static final double LEAD_SECONDS = 0.5;

  private static final double WARM_UP_FLOOD_SECONDS = 2;

  /** What a wallet reads in one page, 200 messages: 320 kB, so fewer pages are asked for. */
  private static final String READ = "?after=0&limit=200";

  private static final double READ_SHARE = 5;

  /** So many different requests of a stranger's connections. */
  private static final int KINDS = 64;

  private static final String MAILBOX = "/v1/mailbox";

  /** Where a registration service would be that nobody asks for tokens. */
  private static final String NO_SERVICE = "http://127.0.0.1:1";

  @Option(names = "--floods", split = ",", description = "names of those to run; all by default")
  private @Nullable Set<String> chosen;

  @Option(names = "--payments", defaultValue = "8", description = "per second")
  private double payments;

  @Option(names = "--flood", defaultValue = "50", description = "requests of a flood per second")
  private double rate;

  @Option(
      names = "--connections",
      defaultValue = "1000",
      description = "of a stranger who never rests")
  private int connections;

  @Option(names = "--seconds", defaultValue = "20", description = "of each phase")
  private double seconds;

  @Option(names = "--rounds", defaultValue = "3", description = "phases of each kind")
  private int rounds;

  @Option(names = "--warm-up", defaultValue = "40", description = "seconds of payments before")
  private double warmUp;

  @Option(names = "--limit", defaultValue = "1.5", description = "ratio of p99 that still counts")
  private double limit;

  @Option(
      names = "--pin",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description =
          "gives the last processor to the payers and strangers and the others to the servers")
  private boolean pin;

  @Option(
      names = "--unguarded",
      description = "a gateway without tokens, slow refusals and a rate of posts, to compare")
  private boolean unguarded;

  @Option(names = "--seed", defaultValue = "abuse", description = "of transfers and arrivals")
  private String seed = "";

  @Option(names = "--json", description = "writes the figures")
  private @Nullable Path json;

  /** The committee, its gateway, and the load that is measured. */
  private record Rig(
      BenchCommittee committee,
      GatewayProcess gateway,
      GatewayTarget honest,
      GatewayTarget hostile,
      OpenLoad<HttpRequest> payers,
      ExecutorService threads) {

    /** Processor milliseconds of everything that serves. */
    double cpu() {
      return committee.nodeCpu()
          + committee.databaseCpu()
          + CpuTime.ofProcesses(List.of(gateway.handle()));
    }
  }

  @Override
  public Integer call() throws IOException {
    int processors = Runtime.getRuntime().availableProcessors();
    Path folder = Files.createTempDirectory("solidus-bench");
    Report.say("%d authorities and a gateway: starting", AUTHORITIES);
    BenchCommittee.Shape shape =
        new BenchCommittee.Shape(AUTHORITIES, AUTHORITIES, 1, 1, CommitteeCommand.QUICK_COMPILER);
    try (BenchCommittee committee = BenchCommittee.start(shape, "0ms", seed, folder);
        GatewayProcess gateway = committee.startGateway(guards());
        GatewayTarget honest = new GatewayTarget(gateway.uri(), loopback(1));
        GatewayTarget hostile = new GatewayTarget(gateway.uri(), loopback(2));
        ExecutorService threads = Executors.newCachedThreadPool()) {
      boolean pinned = pin && processors > 1;
      if (pinned) {
        Signals.pin(ProcessHandle.current(), Integer.toString(processors - 1));
        committee.pin("0-" + (processors - 2));
        gateway.pin("0-" + (processors - 2));
      }
      Rig rig =
          new Rig(
              committee,
              gateway,
              honest,
              hostile,
              new OpenLoad<>(honest, seed.hashCode()),
              threads);
      List<FloodMeasurement> floods = measure(rig);
      Histogram quiet = FloodMeasurement.quiet(floods);
      List<Map<String, Object>> rows = floods.stream().map(each -> each.row(limit, quiet)).toList();
      boolean ok = rows.stream().allMatch(row -> Boolean.TRUE.equals(row.get("ok")));
      Map<String, Object> report = new LinkedHashMap<>();
      report.put("machine", MachineDescription.describe());
      report.put("pinned", pinned);
      report.put("paymentsPerSecond", payments);
      report.put("secondsOfPhase", seconds);
      report.put("rounds", rounds);
      report.put("limit", limit);
      report.put("gateway", guards());
      report.put("aloneP50Millis", Report.round(FloodMeasurement.millis(quiet, 50)));
      report.put("aloneP95Millis", Report.round(FloodMeasurement.millis(quiet, 95)));
      report.put("aloneP99Millis", Report.round(FloodMeasurement.millis(quiet, 99)));
      report.put("floods", rows);
      report.put("ok", ok);
      Report.write(json, report);
      return ok ? 0 : 1;
    } finally {
      FileSystemUtils.deleteRecursively(folder);
    }
  }

  /** Nobody has a token here: payments need none, and strangers get none. */
  private Map<String, String> guards() {
    return unguarded
        ? Map.of(
            "solidus.gateway.max-per-second.refusals", "100000",
            "solidus.gateway.max-per-second.refusals-of-one-network", "100000",
            "solidus.gateway.max-per-second.beside-payments", "100000",
            "solidus.gateway.max-per-second.posts", "100000")
        : Map.of(
            "solidus.gateway.tokens.url",
            NO_SERVICE,
            "solidus.gateway.tokens.origin",
            "gateway.example");
  }

  private List<FloodMeasurement> measure(Rig rig) {
    List<FloodMeasurement> floods =
        floods(rig).stream()
            .filter(flood -> chosen == null || chosen.contains(flood.name()))
            .map(FloodMeasurement::new)
            .toList();
    Report.say("warm-up");
    Report.say(pay(rig, transfers(rig, warmUp), warmUp).payments());
    for (FloodMeasurement each : floods) {
      Report.say(each.flood().prepare(WARM_UP_FLOOD_SECONDS).get());
    }
    for (int round = 1; round <= rounds; round++) {
      for (FloodMeasurement each : floods) {
        Report.say("round %d, %s: alone, under the flood, the flood", round, each.flood().name());
        measure(rig, each);
      }
    }
    return floods;
  }

  private void measure(Rig rig, FloodMeasurement each) {
    List<HttpRequest> quiet = transfers(rig, seconds);
    List<HttpRequest> flooded = transfers(rig, seconds);
    Supplier<RateStep> flood = each.flood().prepare(seconds + 2 * LEAD_SECONDS);
    each.alone(pay(rig, quiet, seconds));
    CompletableFuture<RateStep> flooding = CompletableFuture.supplyAsync(flood, rig.threads());
    pause(LEAD_SECONDS);
    each.under(pay(rig, flooded, seconds));
    each.sent(flooding.join());
  }

  /** An address of this machine: 127.0.0.N. */
  private static InetAddress loopback(int number) throws UnknownHostException {
    return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) number});
  }

  private static void pause(double length) {
    try {
      Thread.sleep(Math.round(1e3 * length));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private FloodMeasurement.Phase pay(Rig rig, List<HttpRequest> requests, double length) {
    double before = rig.cpu();
    RateStep step = rig.payers().run(payments, length, requests.iterator());
    return new FloodMeasurement.Phase(step, (rig.cpu() - before) / 1e3 / length);
  }

  private List<HttpRequest> transfers(Rig rig, double length) {
    return genuine(rig, (int) Math.round(payments * length)).stream()
        .map(transfer -> transfer(rig, transfer))
        .toList();
  }

  /** Valid transfers that were never sent. */
  private static List<TransferRequest> genuine(Rig rig, int count) {
    List<TransferRequest> genuine = new ArrayList<>(count);
    rig.committee()
        .supply()
        .take(count)
        .forEachRemaining(
            encoded -> genuine.add(Codecs.transferRequest(encoded.request().toByteArray())));
    return genuine;
  }

  private static HttpRequest transfer(Rig rig, TransferRequest transfer) {
    // both kinds of senders build their requests alike
    return rig.honest().post(TRANSFERS, body(rig, transfer));
  }

  private static String body(Rig rig, TransferRequest transfer) {
    return RestTransfer.of(rig.committee().cluster().network(), transfer).body();
  }

  /** Valid transfers, each with the proof of another one. */
  private static List<TransferRequest> unproved(Rig rig, int count) {
    List<TransferRequest> genuine = genuine(rig, count + 1);
    return IntStream.range(0, count)
        .mapToObj(i -> JunkRequests.withProofOf(genuine.get(i + 1), genuine.get(i)))
        .toList();
  }

  private List<Flood> floods(Rig rig) {
    JunkRequests junk =
        new JunkRequests(rig.committee().cluster().network(), AUTHORITIES, seed.hashCode());
    OpenLoad<HttpRequest> gateway = new OpenLoad<>(rig.hostile(), ~seed.hashCode());
    URI address = rig.gateway().uri();
    List<String> messages =
        Stream.generate(() -> ConnectionFlood.post(address, MAILBOX, junk.message()))
            .limit(KINDS)
            .toList();
    return List.of(
        Flood.of(
            "junk-certificates",
            rate,
            gateway,
            count ->
                genuine(rig, count).stream()
                    .map(transfer -> transfer(rig, junk.withMadeUpVotes(transfer)))
                    .toList(),
            Set.of("stale-period")),
        Flood.of(
            "junk-transfers",
            rate,
            new OpenLoad<>(new InTurnTarget(rig.committee().targets()), ~seed.hashCode()),
            count -> unproved(rig, count).stream().map(EncodedTransfer::of).toList(),
            Set.of("proof-invalid")),
        Flood.of("one-core", rate, gateway, count -> oneCore(rig, count), Set.of("proof-invalid")),
        Flood.of(
            "look-ups",
            rate,
            gateway,
            count ->
                Stream.generate(() -> rig.hostile().post("/v1/coins/state", junk.lookUp()))
                    .limit(count)
                    .toList(),
            Set.of(Flood.SERVED)),
        Flood.of(
            "registrations",
            rate,
            gateway,
            count ->
                genuine(rig, count).stream()
                    .map(any ->
                        rig.hostile().post("/v1/registrations/signatures", junk.registration(any)))
                    .toList(),
            Set.of("attestation-invalid")),
        Flood.of(
            "sanction-lists",
            rate,
            gateway,
            count -> Stream.generate(() -> rig.hostile().get(junk.list())).limit(count).toList(),
            Set.of("not-found")),
        Flood.of(
            "mailbox-posts",
            rate,
            gateway,
            count ->
                Stream.generate(() -> rig.hostile().post(MAILBOX, junk.message()))
                    .limit(count)
                    .toList(),
            Set.of(Flood.SERVED)),
        Flood.of(
            "mailbox-reads",
            rate / READ_SHARE,
            gateway,
            count -> Collections.nCopies(count, rig.hostile().get(MAILBOX + READ)),
            Set.of(Flood.SERVED)),
        restless(rig, "eager-posts", messages, false),
        restless(rig, "slow-posts", messages, true),
        restless(
            rig,
            "eager-transfers",
            unproved(rig, KINDS).stream()
                .map(transfer -> ConnectionFlood.post(address, TRANSFERS, body(rig, transfer)))
                .toList(),
            false),
        restless(rig, "eager-reads", List.of(ConnectionFlood.get(address, MAILBOX + READ)), false));
  }

  private Flood restless(Rig rig, String name, List<String> requests, boolean slowly) {
    return Flood.of(
        name,
        new ConnectionFlood(
            rig.gateway().uri(), rig.hostile().from(), connections, requests, slowly));
  }

  /** One transfer that is never signed, again and again, each time with another proof. */
  private static List<HttpRequest> oneCore(Rig rig, int count) {
    List<TransferRequest> genuine = genuine(rig, count + 1);
    return genuine.stream()
        .skip(1)
        .map(other -> transfer(rig, JunkRequests.withProofOf(other, genuine.getFirst())))
        .toList();
  }
}
