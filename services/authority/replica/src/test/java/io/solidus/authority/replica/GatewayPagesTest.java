package io.solidus.authority.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.solidus.platform.http.BoundedCalls;
import io.solidus.protocol.MailboxBucket;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A gateway whose places for reads a stranger fills. */
class GatewayPagesTest {
  private static final MailboxBucket MINE = new MailboxBucket(70);
  private static final String HEADERS = "/v1/mailbox/tables/70/headers?after=10&upto=100";
  private static final byte[] NO_TABLES =
      ByteBuffer.allocate(1 + 32 + 8 + 8).put((byte) 1).putLong(41, 100).array();

  private final AtomicInteger asked = new AtomicInteger();
  private final List<String> headers = new CopyOnWriteArrayList<>();

  /** Status by status; the last one stays. */
  private final Deque<Integer> answers = new ArrayDeque<>();

  private HttpServer server;
  private GatewayPages pages;

  @BeforeEach
  void start() throws IOException {
    server =
        HttpServer.create(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), /* backlog= */ 0);
    server.createContext(
        "/",
        exchange -> {
          asked.incrementAndGet();
          headers.add(exchange.getRequestHeaders().getFirst("Solidus-Replica"));
          int status = answers.size() > 1 ? answers.removeFirst() : answers.getFirst();
          exchange.sendResponseHeaders(status, status == 200 ? NO_TABLES.length : -1);
          if (status == 200) {
            exchange.getResponseBody().write(NO_TABLES);
          }
          exchange.close();
        });
    server.start();
    pages =
        new GatewayPages(
            new BoundedCalls(HttpClient.newHttpClient()),
            URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
            target -> "signed " + target,
            Duration.ofSeconds(2));
  }

  @AfterEach
  void stop() {
    pages.close();
    server.stop(0);
  }

  @Test
  void aPageThatABusyGatewayRefusesIsAskedForAgain() {
    answers.addAll(List.of(429, 503, 502, 200));
    assertThat(pages.headers(MINE, 10, 100).reached()).isEqualTo(100);
    assertThat(asked).hasValue(4);
    assertThat(headers).hasSize(4).containsOnly("signed " + HEADERS);
  }

  @Test
  void patienceEnds() {
    answers.add(503);
    long begun = System.nanoTime();
    assertUnavailable("the gateway answers 503");
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
    assertThat(asked.get()).isBetween(2, 20);
    server.stop(0);
    assertUnavailable("the gateway cannot be reached");
  }

  @Test
  void whatDoesNotComeIsNotAskedForAgain() {
    answers.addAll(List.of(404, 400));
    assertUnavailable("the gateway does not have these tables");
    assertUnavailable("the gateway answers 400");
    assertThat(asked).hasValue(2);
  }

  private void assertUnavailable(String detail) {
    assertThatThrownBy(() -> pages.headers(MINE, 10, 100))
        .hasMessage("unavailable: " + detail)
        .isInstanceOfSatisfying(
            ProtocolException.class,
            refused -> assertThat(refused.code()).isEqualTo(RejectionCode.UNAVAILABLE));
  }
}
