package io.solidus.edge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.Generators;
import io.solidus.platform.boot.ServicePorts;
import io.solidus.wire.json.Base64Url;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A stranger whose bodies trickle, against every route that takes one. */
@Tag("process")
class SlowBodiesTest {
  private static final List<String> ROUTES =
      List.of(
          "/v1/transfers",
          "/v1/mints",
          "/v1/registrations/signatures",
          "/v1/coins/state",
          "/v1/proofs",
          "/v1/mailbox");

  /** More than there are places in any class. */
  private static final int EACH = 3;

  private static final int TOGETHER = 20;
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static GatewayFixture gateway;
  private static ExecutorService threads;
  private final Generators random = new Generators(System.nanoTime());

  @BeforeAll
  static void start() {
    gateway =
        new GatewayFixture(
            Map.of(
                "solidus.http.body-deadline",
                "4s",
                "server.tomcat.connection-timeout",
                "4s",
                "solidus.gateway.max-concurrent.payments",
                EACH - 1,
                "solidus.gateway.max-concurrent.look-ups",
                EACH - 1,
                "solidus.gateway.max-concurrent.posts",
                EACH - 1));
    threads = Executors.newVirtualThreadPerTaskExecutor();
  }

  @AfterAll
  static void stop() {
    gateway.close();
    threads.shutdownNow();
  }

  @Test
  void aTrickledBodyHoldsNoPlaceAndIsRefusedAtItsDeadline() {
    assertServes(); // the first requests of a gateway are slow
    List<CompletableFuture<String>> strangers = new ArrayList<>();
    for (String route : ROUTES) {
      for (int i = 0; i < EACH; i++) {
        strangers.add(CompletableFuture.supplyAsync(() -> trickle(route), threads));
      }
    }
    Instant begun = Instant.now();
    while (Duration.between(begun, Instant.now()).compareTo(Duration.ofSeconds(1)) < 0) {
      assertServes();
    }
    assertThat(strangers).noneMatch(CompletableFuture::isDone);
    assertThat(strangers.stream().map(CompletableFuture::join).toList())
        .hasSize(ROUTES.size() * EACH)
        .allMatch(status -> status.startsWith("HTTP/1.1 400"));
    assertThat(Duration.between(begun, Instant.now())).isLessThan(Duration.ofSeconds(15));
  }

  @Test
  void bodiesThatBeganTogetherAreRefusedOneAfterTheOther() {
    List<CompletableFuture<Instant>> trickling = together(false);
    List<CompletableFuture<Instant>> silent = together(true);
    // drawn from four seconds; that all of them lie in one has the odds of 20 * 4^-19
    assertThat(spread(trickling)).isGreaterThan(SECOND);
    assertThat(spread(silent)).isGreaterThan(SECOND);
  }

  private static List<CompletableFuture<Instant>> together(boolean silent) {
    List<CompletableFuture<Instant>> strangers = new ArrayList<>();
    for (int i = 0; i < TOGETHER; i++) {
      strangers.add(
          CompletableFuture.supplyAsync(
              () -> {
                assertThat(stranger("/v1/mailbox", silent)).startsWith("HTTP/1.1 400");
                return Instant.now();
              },
              threads));
    }
    return strangers;
  }

  private static Duration spread(List<CompletableFuture<Instant>> strangers) {
    List<Instant> ends = strangers.stream().map(CompletableFuture::join).sorted().toList();
    return Duration.between(ends.getFirst(), ends.getLast());
  }

  private void assertServes() {
    assertThat(
            gateway
                .rest
                .post("/v1/transfers", TestRequests.json(TestRequests.transfer(random)))
                .status())
        .isEqualTo(200);
    assertThat(
            gateway
                .rest
                .post(
                    "/v1/coins/state",
                    Map.of("serials", List.of(Base64Url.encode(random.serial().bytes()))))
                .status())
        .isEqualTo(200);
    assertThat(
            gateway
                .rest
                .post("/v1/mailbox", Map.of("blob", Base64Url.encode(random.bytes(1200))))
                .status())
        .isEqualTo(201);
  }

  /** Sends a byte every 100 ms until the gateway ends the connection; the status line. */
  private static String trickle(String route) {
    return stranger(route, false);
  }

  private static String stranger(String route, boolean silent) {
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), ServicePorts.http(gateway.context))) {
      socket
          .getOutputStream()
          .write(
              ("POST "
                      + route
                      + " HTTP/1.1\r\nHost: gateway\r\nContent-Type: application/json\r\n"
                      + "Content-Length: 6000\r\n\r\n{")
                  .getBytes(StandardCharsets.US_ASCII));
      CompletableFuture<String> answer =
          CompletableFuture.supplyAsync(() -> untilTheEnd(socket), threads);
      while (!answer.isDone()) {
        try {
          if (!silent) {
            socket.getOutputStream().write(' ');
          }
        } catch (SocketException e) {
          break; // the gateway has ended the connection
        }
        Thread.sleep(100);
      }
      return answer.join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  /** Reads all that the gateway sends; the first line. */
  private static String untilTheEnd(Socket socket) {
    String first = "";
    try {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        first = first.isEmpty() ? line : first;
      }
    } catch (IOException e) {
      // the end of a connection on which bytes were still arriving
    }
    return first;
  }
}
