package io.solidus.operator.sanctions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.dev.processes.Await;
import io.solidus.platform.webhook.Webhooks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Receivers of webhooks: they verify, lose answers, hang, and lead elsewhere. */
@Tag("process")
class WebhookTest {
  private static final String KEY = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final String NOW = "2026-11-25T10:00:00Z";

  @TempDir private Path dir;
  private final MovableClock clock = new MovableClock(NOW);

  /** What a receiver does with a message. */
  private enum Behaviour {
    TAKE,
    LOSE_THE_ANSWER,
    HANG,
    REDIRECT,
    FAIL
  }

  private record Received(String id, String timestamp, String signature, String body) {
    JsonNode json() {
      return JsonMapper.builder().build().readTree(body);
    }

    /** As a receiver does: the signature, and a time that is at most five minutes away. */
    boolean isGenuine(Instant now) {
      try {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(KEY), "HmacSHA256"));
        byte[] expected =
            mac.doFinal((id + "." + timestamp + "." + body).getBytes(StandardCharsets.UTF_8));
        byte[] found = Base64.getDecoder().decode(signature.substring("v1,".length()));
        return MessageDigest.isEqual(expected, found)
            && Math.abs(now.getEpochSecond() - Long.parseLong(timestamp)) <= 300;
      } catch (java.security.GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static final class Receiver implements AutoCloseable {
    final List<Received> received = new CopyOnWriteArrayList<>();
    final CountDownLatch end = new CountDownLatch(1);
    volatile Behaviour behaviour = Behaviour.TAKE;
    volatile String elsewhere = "";
    private final HttpServer server;

    Receiver() throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      server.createContext("/", this::handle);
      server.start();
    }

    String url() {
      return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
    }

    private void handle(HttpExchange exchange) throws IOException {
      received.add(
          new Received(
              Objects.requireNonNull(exchange.getRequestHeaders().getFirst("webhook-id")),
              Objects.requireNonNull(exchange.getRequestHeaders().getFirst("webhook-timestamp")),
              Objects.requireNonNull(exchange.getRequestHeaders().getFirst("webhook-signature")),
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
      switch (behaviour) {
        case TAKE -> exchange.sendResponseHeaders(204, -1);
        case FAIL -> exchange.sendResponseHeaders(500, -1);
        case REDIRECT -> {
          exchange.getResponseHeaders().add("Location", elsewhere);
          exchange.sendResponseHeaders(307, -1);
        }
        case HANG -> {
          try {
            end.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        }
        case LOSE_THE_ANSWER -> {
          // closed below without a word
        }
      }
      exchange.close();
    }

    Received last() {
      return received.getLast();
    }

    @Override
    public void close() {
      end.countDown();
      server.stop(0);
    }
  }

  private SanctionsFixture start(Map<String, Receiver> targets) throws IOException {
    Path secret = Files.writeString(dir.resolve("webhook-secret"), "whsec_" + KEY + "\n");
    Map<String, Object> properties = new HashMap<>();
    targets.forEach((name, receiver) -> {
      properties.put("solidus.webhooks.targets." + name + ".url", receiver.url());
      properties.put("solidus.webhooks.targets." + name + ".secret-file", secret);
    });
    return SanctionsFixture.start(dir, SanctionsFixture.NO_KAFKA, properties, clock);
  }

  private static String propose(SanctionsFixture service, int n) {
    return service
        .rest
        .post(
            "/admin/v1/sanctions/addresses",
            Map.of("apk", String.format("%02x", n).repeat(32), "reason", "secret court order"),
            service.sanctionsOperator())
        .json()
        .path("id")
        .asString();
  }

  private static void look(SanctionsFixture service) {
    service.bean(Webhooks.class).wake();
  }

  private static void awaitCount(Receiver receiver, int count) {
    Await.until(count + " messages", () -> receiver.received.size() >= count);
    assertThat(receiver.received).hasSize(count);
  }

  private static void awaitDelivered(SanctionsFixture service) {
    Await.until(
        "the service has the answer",
        () ->
            service
                .database
                .jdbc()
                .sql("SELECT bool_and(delivered) FROM webhook_message")
                .query(Boolean.class)
                .single());
  }

  @Test
  void tellsHowMuchWaitsAndNothingOfWhom() throws Exception {
    try (Receiver chat = new Receiver();
        SanctionsFixture service = start(Map.of("chat", chat))) {
      String first = propose(service, 1);
      look(service);
      awaitCount(chat, 1);
      Received message = chat.last();
      assertThat(message.isGenuine(clock.instant())).isTrue();
      assertThat(message.body())
          .isEqualTo(
              "{\"type\":\"proposal.waiting\",\"timestamp\":\"2026-11-25T10:00:00Z\","
                  + "\"data\":{\"service\":\"sanctions\",\"waiting\":1,\"id\":\""
                  + message.id()
                  + "\"}}");
      assertThat(
              new Received(
                      message.id(),
                      message.timestamp(),
                      message.signature(),
                      message.body().replace("\"waiting\":1", "\"waiting\":0"))
                  .isGenuine(clock.instant()))
          .as("altered on its way")
          .isFalse();
      clock.set("2026-11-25T10:05:01Z");
      assertThat(message.isGenuine(clock.instant())).as("replayed later").isFalse();
      awaitDelivered(service);

      service.restart();
      look(service);
      propose(service, 2);
      look(service);
      awaitCount(chat, 2);
      assertThat(chat.last().json().path("data").path("waiting").asInt()).isEqualTo(2);
      awaitDelivered(service);

      // one is decided, another comes: that is more than since
      service.approve(first, service.approver());
      look(service);
      Await.until(
          "fewer are noted",
          () ->
              service
                      .database
                      .jdbc()
                      .sql("SELECT waiting FROM webhook_message WHERE kind = 'proposal.waiting'")
                      .query(Long.class)
                      .single()
                  == 1);
      propose(service, 3);
      look(service);
      awaitCount(chat, 3);
      assertThat(chat.received.stream().map(Received::id)).doesNotHaveDuplicates();
    }
  }

  @Test
  void aMessageWhoseAnswerWasLostComesAgainWithTheSameId() throws Exception {
    try (Receiver chat = new Receiver();
        SanctionsFixture service = start(Map.of("chat", chat))) {
      chat.behaviour = Behaviour.LOSE_THE_ANSWER;
      propose(service, 1);
      look(service);
      awaitCount(chat, 1);
      Await.until("it is owed", () -> owed(service, "chat") >= 0);
      // the pause of the retries, and not of the looks
      look(service);
      service.restart();
      look(service);
      assertThat(chat.received).hasSize(1);
      chat.behaviour = Behaviour.FAIL;
      clock.set("2026-11-25T10:00:20Z");
      look(service);
      awaitCount(chat, 2);
      chat.behaviour = Behaviour.TAKE;
      clock.set("2026-11-25T11:30:00Z");
      look(service);
      awaitCount(chat, 3);
      awaitDelivered(service);
      assertThat(chat.received.stream().map(Received::id).distinct()).hasSize(1);
      assertThat(chat.received.stream().map(Received::body).distinct()).hasSize(1);
      assertThat(chat.received.stream().map(Received::timestamp)).doesNotHaveDuplicates();
      assertThat(chat.last().isGenuine(clock.instant())).isTrue();
      Await.until("nothing is owed", () -> owed(service, "chat") == 0);
    }
  }

  @Test
  void aTargetThatHangsHoldsUpNobodyAndRings() throws Exception {
    try (Receiver chat = new Receiver();
        Receiver slow = new Receiver();
        SanctionsFixture service = start(Map.of("chat", chat, "slow", slow))) {
      slow.behaviour = Behaviour.HANG;
      propose(service, 1);
      look(service);
      awaitCount(chat, 1);
      awaitCount(slow, 1);
      clock.set("2026-11-25T11:00:00Z");
      Await.until(
          "the deadline ends it, and an hour shows",
          java.time.Duration.ofSeconds(40),
          () -> owed(service, "slow") == 3600);
      assertThat(owed(service, "chat")).isZero();
      // after a day there is a new message, and it is still owed since the first
      clock.set("2026-11-26T11:00:00Z");
      look(service);
      Await.until(
          "a new message",
          java.time.Duration.ofSeconds(60),
          () -> Set.copyOf(slow.received.stream().map(Received::id).toList()).size() == 2);
      slow.behaviour = Behaviour.TAKE;
      slow.end.countDown();
    }
  }

  @Test
  void noRedirectIsFollowed() throws Exception {
    try (Receiver chat = new Receiver();
        Receiver inner = new Receiver();
        SanctionsFixture service = start(Map.of("chat", chat))) {
      chat.elsewhere = inner.url();
      chat.behaviour = Behaviour.REDIRECT;
      propose(service, 1);
      look(service);
      awaitCount(chat, 1);
      Await.until(
          "it counts as a failure",
          () ->
              service
                      .database
                      .jdbc()
                      .sql(
                          "SELECT count(*) FROM webhook_message WHERE attempts = 1 AND NOT delivered")
                      .query(Long.class)
                      .single()
                  == 1);
      chat.behaviour = Behaviour.TAKE;
      clock.set("2026-11-25T10:01:00Z");
      look(service);
      awaitCount(chat, 2);
      awaitDelivered(service);
      assertThat(inner.received).isEmpty();
    }
  }

  @Test
  void aTargetIsToldTheKindsThatItWants() throws Exception {
    try (Receiver chat = new Receiver()) {
      Path secret = Files.writeString(dir.resolve("webhook-secret"), "whsec_" + KEY);
      assertThatThrownBy(() ->
              SanctionsFixture.start(
                  dir,
                  SanctionsFixture.NO_KAFKA,
                  Map.of(
                      "solidus.webhooks.targets.chat.url",
                      chat.url(),
                      "solidus.webhooks.targets.chat.secret-file",
                      secret,
                      "solidus.webhooks.targets.chat.kinds",
                      "import.waiting,no-such-kind")))
          .hasStackTraceContaining("the kinds of a webhook are among [bank-message.waiting");
    }
  }

  private static double owed(SanctionsFixture service, String target) {
    return service
        .bean(MeterRegistry.class)
        .get("solidus.webhook.owed")
        .tag("target", target)
        .gauge()
        .value();
  }
}
