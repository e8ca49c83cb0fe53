package io.solidus.edge.gateway;

import static io.solidus.edge.gateway.TestNotes.checkpointText;
import static io.solidus.edge.gateway.TestNotes.countersigned;
import static io.solidus.edge.gateway.TestNotes.withCheckpoint;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.solidus.dev.testkit.Eventually;
import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestCommittee;
import io.solidus.protocol.SanctionCheckpoint;
import io.solidus.protocol.SignedNote;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A stranger asks for sanction lists and a wallet needs one of them, with a slow service behind.
 */
@Tag("process")
class SanctionListFloodTest {
  private static final byte[] LIST = new byte[20 * 1000];
  private static final Duration SLOW = Duration.ofMillis(200);
  private static final int STRANGERS = 50;

  private final List<String> fetched = new CopyOnWriteArrayList<>();
  private final Semaphore body = new Semaphore(1000);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private HttpServer sanctions;
  private GatewayFixture gateway;

  @BeforeEach
  void start() throws IOException {
    sanctions = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    sanctions.createContext(
        "/",
        exchange -> {
          try (exchange) {
            String version = exchange.getRequestURI().getPath().split("/", -1)[4];
            fetched.add(version);
            Thread.sleep(SLOW);
            if (Integer.parseInt(version) > 5) {
              exchange.sendResponseHeaders(404, -1);
              return;
            }
            exchange.sendResponseHeaders(200, LIST.length);
            body.acquire();
            exchange.getResponseBody().write(LIST);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    sanctions.setExecutor(threads);
    sanctions.start();
    String url = "http://127.0.0.1:" + sanctions.getAddress().getPort();
    gateway = new GatewayFixture(Map.of("solidus.gateway.sanctions-url", url));
    checkpointInForce(5);
  }

  @AfterEach
  void stop() {
    body.release(1000);
    gateway.close();
    sanctions.stop(0);
    threads.shutdownNow();
  }

  @Test
  void strangersDelayNoListThatIsThere() {
    awaitList(5);
    AtomicBoolean on = new AtomicBoolean(true);
    List<CompletableFuture<Void>> strangers = new ArrayList<>();
    for (int i = 0; i < STRANGERS; i++) {
      int first = 1000 + i;
      strangers.add(
          CompletableFuture.runAsync(
              () -> {
                for (int version = first; on.get(); version += STRANGERS) {
                  RestProbe.Answer unused = list(version);
                }
              },
              threads));
    }
    try {
      Eventually.holds(() -> assertThat(strangers).noneMatch(CompletableFuture::isDone));
      for (int i = 0; i < 10; i++) {
        Instant asked = Instant.now();
        assertThat(list(5).status()).isEqualTo(200);
        assertThat(Duration.between(asked, Instant.now())).isLessThan(Duration.ofSeconds(3));
      }
    } finally {
      on.set(false);
      strangers.forEach(CompletableFuture::join);
    }
    assertThat(fetched).containsOnly("5");
  }

  @Test
  void fetchesOnlyVersionsThatACheckpointNamed() {
    awaitList(5);
    for (int round = 0; round < 5; round++) {
      for (int version = 1; version <= 9; version++) {
        assertThat(list(version).status()).isEqualTo(version == 5 ? 200 : 404);
      }
    }
    assertThat(fetched).containsExactly("5");
  }

  @Test
  void asksOnceForAListThatIsNotThereYet() {
    checkpointInForce(6);
    Eventually.holds(() -> {
      RestProbe.Answer unused = list(6);
      assertThat(fetched).contains("6");
    });
    long asked = fetched.stream().filter("6"::equals).count();
    for (int i = 0; i < 20; i++) {
      assertThat(list(6).status()).isEqualTo(404);
    }
    assertThat(fetched.stream().filter("6"::equals).count()).isLessThanOrEqualTo(asked + 2);
  }

  @Test
  void twentyWalletsCauseOneFetch() {
    awaitCheckpoint();
    List<CompletableFuture<RestProbe.Answer>> wallets = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      wallets.add(CompletableFuture.supplyAsync(() -> list(5), threads));
    }
    wallets.forEach(wallet -> assertThat(wallet.join().status()).isEqualTo(200));
    assertThat(fetched).containsExactly("5");
  }

  /** The service names a new list and its body never ends. */
  @Test
  void aStalledFetchDelaysNoListThatIsThere() {
    awaitList(5);
    body.drainPermits();
    checkpointInForce(4); // the only other version that the service has
    Eventually.holds(() -> {
      SignedNote note = SignedNote.parse(gateway.rest.get("/v1/sanctions/checkpoint").body());
      assertThat(SanctionCheckpoint.parse(TestCommittee.NETWORK, note.text()).version())
          .isEqualTo(4);
    });
    CompletableFuture<RestProbe.Answer> waiting =
        CompletableFuture.supplyAsync(() -> list(4), threads);
    Eventually.holds(() -> assertThat(fetched).contains("4"));
    Instant asked = Instant.now();
    assertThat(list(5).status()).isEqualTo(200);
    assertThat(Duration.between(asked, Instant.now())).isLessThan(Duration.ofSeconds(3));
    body.release(1000);
    assertThat(waiting.join().status()).isEqualTo(200);
  }

  private void awaitCheckpoint() {
    Eventually.holds(
        () -> assertThat(gateway.rest.get("/v1/sanctions/checkpoint").status()).isEqualTo(200));
  }

  private void awaitList(int version) {
    Eventually.holds(() -> assertThat(list(version).status()).isEqualTo(200));
  }

  private void checkpointInForce(long version) {
    String text = checkpointText(version);
    for (int i = 1; i <= 4; i++) {
      gateway.setStatus(i, withCheckpoint(countersigned(i, text), version));
    }
  }

  private RestProbe.Answer list(int version) {
    return gateway.rest.get("/v1/sanctions/checkpoints/" + version + "/list");
  }
}
