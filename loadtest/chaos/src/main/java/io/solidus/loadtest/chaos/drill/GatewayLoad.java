package io.solidus.loadtest.chaos.drill;

import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.GatewayProcess;
import io.solidus.loadtest.chaos.load.Operation;
import io.solidus.loadtest.chaos.load.OwnedCoin;
import io.solidus.loadtest.chaos.load.SeededRandom;
import io.solidus.loadtest.chaos.load.SignatureTap;
import io.solidus.loadtest.chaos.load.Transfer;
import io.solidus.loadtest.chaos.load.Wallet;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.Codecs;
import io.solidus.wire.json.PartialSignatureJson;
import io.solidus.wire.json.TransferRequestJson;
import io.solidus.wire.json.WireJson;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/**
 * Payments that arrive at a fixed rate, whether or not earlier ones have finished. A wallet with
 * real money sends each through a gateway in service. As the API's reference requires, it sends the
 * same core again after a 429, a 503 or another answer with a retryable code, at the time of
 * Retry-After. It does not retry a broken connection, because a roll-out must not break one.
 */
final class GatewayLoad implements AutoCloseable {

  private static final long START_MINOR = 1_000_000;
  private static final Duration CALL = Duration.ofSeconds(35);
  private static final long GIVE_UP_SECONDS = 60;
  private static final long DEFAULT_PAUSE_MILLIS = 1000;
  private static final int TOO_MANY = 429;
  private static final int UNAVAILABLE = 503;

  /** Counts of payments. */
  record Counts(
      long begun,
      long finished,
      long failed,
      long broken,
      long unserved,
      Map<String, Long> retries) {}

  static {
    // the client closes idle connections before a gateway does, so that no request meets a closing
    // connection
    System.setProperty("jdk.httpclient.keepalive.timeout", "5");
  }

  private final DrillFixture fixture;
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  private final List<GatewayProcess> inService = new ArrayList<>();
  private final List<Wallet> wallets = new ArrayList<>();
  private final BlockingQueue<Wallet> idle = new LinkedBlockingQueue<>();
  private final ExecutorService payments = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong finished = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong broken = new AtomicLong();
  private final AtomicLong unserved = new AtomicLong();
  private final AtomicLong turn = new AtomicLong();
  private final Map<String, AtomicLong> underWay = new ConcurrentHashMap<>();
  private final Map<String, AtomicLong> retries = new ConcurrentHashMap<>();
  private final Thread arrivals;
  private final long periodNanos;
  private volatile boolean stopping;

  /**
   * Creates the wallets and begins at once.
   *
   * @param perSecond arrivals
   * @param crowd number of wallets; an arrival that finds no idle wallet is counted as unserved,
   *     which fails the drill
   */
  GatewayLoad(
      DrillFixture fixture, List<GatewayProcess> gateways, double perSecond, int crowd, long seed) {
    this.fixture = fixture;
    this.inService.addAll(gateways);
    this.periodNanos = (long) (1e9 / perSecond);
    for (int i = 0; i < crowd; i++) {
      wallets.add(
          new Wallet(
              fixture.network, fixture.ledger, new SeededRandom(seed, "payer " + i), START_MINOR));
    }
    idle.addAll(wallets);
    this.arrivals = Thread.ofPlatform().name("arrivals").daemon().start(this::arrive);
  }

  /**
   * Sends no new payments to a gateway and waits for those under way, as a load balancer does when
   * a gateway is no longer ready.
   */
  void takeOut(GatewayProcess gateway) {
    synchronized (inService) {
      inService.remove(gateway);
    }
    Await.until("no payment waits for " + gateway.name(), CALL, () -> underWay(gateway).get() == 0);
  }

  void putIn(GatewayProcess gateway) {
    synchronized (inService) {
      inService.add(gateway);
    }
  }

  private GatewayProcess choose() {
    synchronized (inService) {
      GatewayProcess chosen = inService.get((int) (turn.getAndIncrement() % inService.size()));
      underWay(chosen).incrementAndGet();
      return chosen;
    }
  }

  private AtomicLong underWay(GatewayProcess gateway) {
    return underWay.computeIfAbsent(gateway.name(), any -> new AtomicLong());
  }

  Counts counts() {
    Map<String, Long> byCode = new TreeMap<>();
    retries.forEach((code, count) -> byCode.put(code, count.get()));
    return new Counts(
        begun.get(), finished.get(), failed.get(), broken.get(), unserved.get(), byCode);
  }

  /** Begins no new payments, and waits for those under way. */
  Counts finish(Duration limit) throws InterruptedException {
    stopping = true;
    arrivals.join();
    payments.shutdown();
    if (!payments.awaitTermination(limit.toSeconds(), TimeUnit.SECONDS)) {
      payments.shutdownNow();
    }
    return counts();
  }

  long worthMinor() {
    return wallets.stream().mapToLong(Wallet::worth).sum();
  }

  @Override
  public void close() {
    stopping = true;
    payments.shutdownNow();
  }

  private void arrive() {
    long due = System.nanoTime();
    while (!stopping) {
      Wallet wallet = idle.poll();
      if (wallet == null) {
        unserved.incrementAndGet();
      } else {
        begun.incrementAndGet();
        payments.execute(() -> pay(wallet));
      }
      due += periodNanos;
      LockSupport.parkNanos(due - System.nanoTime());
    }
  }

  private void pay(Wallet wallet) {
    try {
      List<OwnedCoin> coins = wallet.coins();
      Wallet recipient = wallet.random().of(wallets);
      Transfer transfer =
          wallet.draft(
              new Wallet.Intent(
                  recipient,
                  wallet.random().between(1, 200),
                  0,
                  List.copyOf(coins.subList(0, Math.min(2, coins.size())))));
      fixture.ledger.drafted(transfer);
      fixture.history.invoke(transfer);
      if (carryOut(transfer)) {
        finished.incrementAndGet();
        idle.add(wallet);
      } else {
        failed.incrementAndGet();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failed.incrementAndGet();
    } catch (RuntimeException e) {
      failed.incrementAndGet();
      fixture.incidents.add("a payment failed: " + e);
    }
  }

  /**
   * Collects the signatures of a transfer again by its core and lead serial number, as a wallet
   * does that was restored from its seed.
   *
   * @return what authorities signed; empty when the gateway refused
   */
  Map<Integer, PartialSignature> restore(Transfer transfer)
      throws IOException, InterruptedException {
    GatewayProcess gateway = choose();
    String lead =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(transfer.statement().leadSerial().bytes());
    HttpRequest request =
        HttpRequest.newBuilder(
                gateway.uri().resolve("/v1/transfers/" + transfer.core().hex() + "?lead=" + lead))
            .timeout(CALL)
            .GET()
            .build();
    HttpResponse<String> answer = send(gateway, request);
    if (answer.statusCode() != 200) {
      fixture.incidents.add(
          transfer.core() + " was not restored: " + answer.statusCode() + " " + answer.body());
      return Map.of();
    }
    return tapped(transfer, answer);
  }

  /** Submits a transfer until it is answered; returns whether it finished. */
  boolean carryOut(Transfer transfer) throws InterruptedException {
    String body = WireJson.write(TransferRequestJson.of(transfer.request()));
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(GIVE_UP_SECONDS);
    while (System.nanoTime() - end < 0) {
      GatewayProcess gateway = choose();
      try {
        HttpResponse<String> answer = send(gateway, body);
        if (answer.statusCode() == 200) {
          return accept(transfer, answer);
        }
        if (!retryable(transfer, answer)) {
          return false;
        }
        Thread.sleep(pauseMillis(answer));
      } catch (IOException e) {
        broken.incrementAndGet();
        fixture.incidents.add(
            "a connection to a gateway broke: "
                + e
                + (e instanceof ConnectException ? " (not in service)" : ""));
        return false;
      }
    }
    fixture.incidents.add(transfer.core() + " did not finish in " + GIVE_UP_SECONDS + " s");
    return false;
  }

  private HttpResponse<String> send(GatewayProcess gateway, String body)
      throws IOException, InterruptedException {
    return send(
        gateway,
        HttpRequest.newBuilder(gateway.uri().resolve("/v1/transfers"))
            .timeout(CALL)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build());
  }

  private HttpResponse<String> send(GatewayProcess gateway, HttpRequest request)
      throws IOException, InterruptedException {
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString());
    } finally {
      underWay(gateway).decrementAndGet();
    }
  }

  private boolean retryable(Transfer transfer, HttpResponse<String> answer) {
    String code = code(answer);
    retries
        .computeIfAbsent(answer.statusCode() + " " + code, any -> new AtomicLong())
        .incrementAndGet();
    boolean busy = answer.statusCode() == TOO_MANY || answer.statusCode() == UNAVAILABLE;
    boolean passes = busy || RejectionCode.of(code).map(RejectionCode::retryable).orElse(false);
    if (!passes) {
      fixture.incidents.add(
          transfer.core() + " was refused: " + answer.statusCode() + " " + answer.body());
    }
    return passes;
  }

  private static String code(HttpResponse<String> answer) {
    try {
      return WireJson.read(answer.body(), JsonNode.class).path("code").asString("");
    } catch (RuntimeException e) {
      return "";
    }
  }

  private static long pauseMillis(HttpResponse<String> answer) {
    return answer
        .headers()
        .firstValue("Retry-After")
        .map(seconds -> 1000 * Long.parseLong(seconds))
        .orElse(DEFAULT_PAUSE_MILLIS);
  }

  private boolean accept(Transfer transfer, HttpResponse<String> answer) {
    Map<Integer, PartialSignature> signed = tapped(transfer, answer);
    if (signed.size() < fixture.network.committee().quorum()) {
      fixture.incidents.add(
          transfer.core() + " was answered with " + signed.size() + " good signatures");
      return false;
    }
    transfer.payer().finish(transfer, transfer.signatures(signed));
    fixture.history.end(transfer, Operation.Outcome.OK);
    return true;
  }

  /** Records every signature of the answer on the tap, and returns the valid ones. */
  private Map<Integer, PartialSignature> tapped(Transfer transfer, HttpResponse<String> answer) {
    Map<Integer, PartialSignature> signed = new TreeMap<>();
    JsonNode json = WireJson.read(answer.body(), JsonNode.class);
    json.path("partials")
        .forEach(each -> {
          PartialSignature partial = partial(each);
          boolean valid = transfer.verifies(partial.authority(), partial);
          fixture.tap.add(
              new SignatureTap.Signed(
                  partial.authority(),
                  transfer.core(),
                  transfer.statement().serials(),
                  Codecs.toWire(partial).toByteString(),
                  valid),
              transfer.begunAt());
          if (valid) {
            signed.put(partial.authority(), partial);
          }
        });
    return signed;
  }

  private static PartialSignature partial(JsonNode json) {
    try {
      return WireJson.read(json.toString(), PartialSignatureJson.class).toDomain();
    } catch (ProtocolException e) {
      throw new IllegalStateException("a gateway forwarded a malformed signature", e);
    }
  }
}
