package io.solidus.dev.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.PostgresServer;
import io.solidus.dev.testkit.sample.SampleApplication;
import io.solidus.platform.boot.ServicePorts;
import io.solidus.platform.outbox.Events;
import io.solidus.platform.outbox.Outbox;
import io.solidus.platform.outbox.Topics;
import io.solidus.platform.security.Roles;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;

/** The platform's behaviour in a service, observed over HTTP and Kafka. */
@Tag("process")
class PlatformServiceTest {
  private static final TestTokens TOKENS = TestTokens.create();
  private static final TestKafka KAFKA = TestKafka.start();
  private static final TestDatabase DATABASE = TestPostgres.newDatabase();
  private static ConfigurableApplicationContext service;
  private static RestProbe rest;

  @BeforeAll
  static void start() {
    service = start(DATABASE);
    rest = new RestProbe(ServicePorts.http(service));
  }

  private static ConfigurableApplicationContext start(TestDatabase database) {
    Map<String, Object> properties = new HashMap<>(TOKENS.springProperties());
    properties.putAll(database.springProperties());
    properties.putAll(KAFKA.springProperties());
    return SampleApplication.start(properties);
  }

  @AfterAll
  static void stop() {
    service.close();
    KAFKA.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"fsync", "full_page_writes", "synchronous_commit"})
  void refusesADatabaseThatCanLoseCommits(String setting, @TempDir Path folder) {
    try (PostgresServer unsafe =
        PostgresServer.start(folder.resolve("data"), Map.of(setting, "off"))) {
      TestDatabase database =
          new TestDatabase(unsafe.url("postgres"), PostgresServer.USER, PostgresServer.USER);
      assertThat(catchThrowable(() -> start(database).close()))
          .rootCause()
          .hasMessageContaining(setting + " = off");
    }
  }

  @Test
  void answersProblemOnMalformedJson() {
    RestProbe.Answer answer = rest.post("/v1/partials", "{\"authority\":");
    assertProblem(answer, 400, "malformed-request");
    assertThat(answer.json().path("retryable").asBoolean(true)).isFalse();
    assertThat(answer.json().path("traceId").asString(""))
        .hasSize(32)
        .isEqualTo(answer.header("X-Trace-Id"));
    assertThat(answer.json().path("type").asString(""))
        .isEqualTo("urn:solidus:problem:malformed-request");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"authority\":1,\"shareEpoch\":0,\"points\":[]}",
        "{\"authority\":1,\"shareEpoch\":0}",
        "{\"authority\":\"1\",\"shareEpoch\":0,\"points\":[\"AA\"]}",
        "{\"authority\":1.5,\"shareEpoch\":0,\"points\":[\"AA\"]}",
        "{\"authority\":1,\"authority\":2,\"shareEpoch\":0,\"points\":[\"AA\"]}",
        "{\"authority\":1,\"shareEpoch\":0,\"points\":[\"AA\"],\"more\":1}",
        "{\"authority\":1,\"shareEpoch\":0,\"points\":[null]}",
        "null",
        "[]"
      })
  void refusesBodiesOfAnotherShape(String body) {
    assertProblem(rest.post("/v1/partials", body), 400, "malformed-request");
  }

  @Test
  void refusesDeeplyNestedJson() {
    assertProblem(rest.post("/v1/partials", "[".repeat(500)), 400, "malformed-request");
  }

  @Test
  void refusesLargeBodiesWithAndWithoutDeclaredLength() {
    byte[] large = " ".repeat(5000).getBytes(StandardCharsets.US_ASCII);
    assertProblem(
        rest.exchange("POST", "/v1/partials", HttpRequest.BodyPublishers.ofByteArray(large)),
        413,
        "body-too-large");
    assertProblem(
        rest.exchange(
            "POST",
            "/v1/partials",
            HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large))),
        413,
        "body-too-large");
  }

  @Test
  void answersProblemForWrongMethodMediaTypePathAndParameter() {
    assertProblem(rest.get("/v1/partials"), 405, "malformed-request");
    assertProblem(
        rest.post("/v1/partials", "{}", "Content-Type", "text/plain"), 415, "malformed-request");
    assertProblem(rest.get("/v1/nowhere"), 404, "not-found");
    assertProblem(rest.get("/v1/numbers/many"), 400, "malformed-request");
    assertProblem(rest.get("/v1/numbers?="), 400, "malformed-request");
    assertThat(rest.get("/v1/numbers/7").status()).isEqualTo(200);
  }

  @Test
  void unforeseenErrorsRevealNothing() {
    RestProbe.Answer answer = rest.get("/v1/numbers/13");
    assertProblem(answer, 500, "internal");
    assertThat(answer.body()).doesNotContain("secret").doesNotContain("IllegalState");
  }

  /** What a wallet may ask again is no defect of the service: it would give a payment up. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT pg_terminate_backend(pg_backend_pid())",
        "SET LOCAL statement_timeout = 1; SELECT pg_sleep(5)",
        "SET LOCAL transaction_read_only = on; CREATE TABLE unwritten (number integer)",
        "DO $$ BEGIN RAISE EXCEPTION 'a lock' USING ERRCODE = 'lock_not_available'; END $$",
      })
  void anOutageOfTheDatabaseIsNoDefect(String statement) {
    assertProblem(statement(statement), 503, "unavailable");
    assertThat(rest.get("/v1/numbers/7").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT nothing FROM nowhere",
        "SELECT 1 / 0",
        "DO $$ BEGIN RAISE EXCEPTION 'too long' USING ERRCODE = 'program_limit_exceeded'; END $$",
        "DO $$ BEGIN RAISE EXCEPTION 'aborted' USING ERRCODE = 'in_failed_sql_transaction'; END $$",
      })
  void aDefectIsNoOutageOfTheDatabase(String statement) {
    assertProblem(statement(statement), 500, "internal");
  }

  /** Sanctions has triggers that refuse then. */
  @Test
  void aTriggerThatRefusesAtTheCommitIsNoOutage() {
    String refusal =
        """
        CREATE TEMPORARY TABLE guarded (number integer);
        CREATE FUNCTION pg_temp.refuse() RETURNS trigger LANGUAGE plpgsql
          AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
        CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON guarded DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION pg_temp.refuse();
        INSERT INTO guarded VALUES (1)
        """;
    assertProblem(statement(refusal), 500, "internal");
  }

  private static RestProbe.Answer statement(String sql) {
    return rest.post("/v1/statements", sql, "Content-Type", "text/plain");
  }

  @Test
  void answersTheRetryTime() {
    RestProbe.Answer answer = rest.get("/v1/numbers/9");
    assertProblem(answer, 503, "no-quorum");
    assertThat(answer.header("Retry-After")).isEqualTo("1");
    assertThat(answer.json().path("retryable").asBoolean(false)).isTrue();
  }

  @Test
  void startsItsOwnTraceWhateverTheCallerSends() {
    String trace = "0af7651916cd43dd8448eb211c80319c";
    RestProbe.Answer answer =
        rest.get("/v1/numbers/9", "traceparent", "00-" + trace + "-b7ad6b7169203331-01");
    assertThat(answer.json().path("traceId").asString(""))
        .hasSize(32)
        .isNotEqualTo(trace)
        .isEqualTo(answer.header("X-Trace-Id"));
  }

  @Test
  void adminNeedsTokenAndRole() {
    assertProblem(rest.get("/admin/v1/me"), 401, "unauthorized");
    assertProblem(me(TOKENS.expired("ann", Roles.AUDITOR)), 401, "unauthorized");
    assertProblem(me(TOKENS.withoutExpiry("ann", Roles.AUDITOR)), 401, "unauthorized");
    assertProblem(me(TOKENS.forOtherAudience("ann", Roles.AUDITOR)), 401, "unauthorized");
    assertProblem(me(TOKENS.unsigned("ann", Roles.AUDITOR)), 401, "unauthorized");
    assertProblem(me(TestTokens.create().token("ann", Roles.AUDITOR)), 401, "unauthorized");
    assertProblem(me(TOKENS.token(" ", Roles.AUDITOR)), 401, "unauthorized");
    assertProblem(me(TOKENS.token("ann", Roles.APPROVER)), 403, "forbidden");
    assertProblem(me(TOKENS.token("ann", "admin")), 403, "forbidden");
    RestProbe.Answer good = me(TOKENS.token("ann", Roles.AUDITOR));
    assertThat(good.status()).isEqualTo(200);
    assertThat(good.json().path("subject").asString("")).isEqualTo("ann");
  }

  @Test
  void walletApiNeedsNoTokenAndOtherPathsAreClosed() {
    assertThat(rest.get("/v1/numbers/7", "Authorization", "Bearer nonsense").status())
        .isEqualTo(200);
    assertProblem(rest.get("/elsewhere"), 401, "unauthorized");
    assertThat(rest.get("/actuator/health").status()).isEqualTo(200);
    assertThat(rest.get("/actuator/env").status()).isNotEqualTo(200);
    assertThat(rest.get("/v3/api-docs").json().path("paths").has("/v1/partials")).isTrue();
    assertThat(rest.get("/swagger-ui/index.html").status()).isEqualTo(200);
    assertThat(rest.get("/actuator/prometheus").body()).contains("jvm_memory_used_bytes");
  }

  @Test
  void outboxNeedsATransaction() {
    Outbox outbox = service.getBean(Outbox.class);
    Assertions.assertThatIllegalStateException()
        .isThrownBy(() ->
            outbox.append(
                Topics.SPENT, new byte[0], Events.envelope("t", Clock.systemUTC()).build()));
  }

  @Test
  void eventsArriveInOrderAlsoAfterTheBrokerWasKilled() {
    assertThat(rest.post("/v1/facts/3", "").status()).isEqualTo(200);
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      consumer.subscribe(List.of(Topics.SPENT));
      assertThat(counts(consumer, 3)).containsSequence(0L, 1L, 2L);
      KAFKA.kill();
      assertThat(rest.post("/v1/facts/120", "").status()).isEqualTo(200);
      assertThat(unpublished()).isEqualTo(120);
      awaitBacklog(120);
      KAFKA.restart();
      assertThat(counts(consumer, 120)).contains(0L, 60L, 119L);
    }
    Await.until("all events are published", () -> unpublished() == 0);
    awaitBacklog(0);
    assertThat(gauge("solidus.outbox.oldest.age")).isZero();
  }

  private static RestProbe.Answer me(String token) {
    return rest.get("/admin/v1/me", "Authorization", "Bearer " + token);
  }

  private static void assertProblem(RestProbe.Answer answer, int status, String code) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    assertThat(answer.contentType()).startsWith("application/problem+json");
    assertThat(answer.code()).isEqualTo(code);
  }

  private static KafkaConsumer<byte[], byte[]> consumer() {
    return new KafkaConsumer<>(
        Map.of(
            "bootstrap.servers", KAFKA.bootstrapServers(),
            "group.id", "probe",
            "auto.offset.reset", "earliest"),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  private static List<Long> counts(KafkaConsumer<byte[], byte[]> consumer, int atLeast) {
    List<Long> counts = new ArrayList<>();
    Await.until(
        atLeast + " events",
        () -> {
          for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(500))) {
            counts.add(Events.parse(record.value()).getTransferSigned().getSignedCount());
          }
          return counts.size() >= atLeast;
        });
    return counts;
  }

  private static long unpublished() {
    return DATABASE
        .jdbc()
        .sql("SELECT count(*) FROM outbox WHERE published_at IS NULL")
        .query(Long.class)
        .single();
  }

  private static void awaitBacklog(int events) {
    Await.until("a backlog of " + events, () -> gauge("solidus.outbox.waiting") == events);
  }

  private static double gauge(String name) {
    return service.getBean(MeterRegistry.class).get(name).gauge().value();
  }
}
