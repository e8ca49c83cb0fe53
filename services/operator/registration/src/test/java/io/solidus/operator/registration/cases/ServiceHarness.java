package io.solidus.operator.registration.cases;

import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestKafka;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.dev.testkit.TestTokens;
import io.solidus.dev.testkit.TwoRoles;
import io.solidus.operator.registration.RegistrationApplication;
import io.solidus.operator.registration.evidence.RegistrationCheck;
import io.solidus.operator.registration.screening.FakeSanctions;
import io.solidus.platform.boot.ServicePorts;
import io.solidus.protocol.ProtocolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The whole service on a port, with PostgreSQL, a fake sanctions service, and a registration check
 * that tests can make fail.
 */
final class ServiceHarness implements AutoCloseable {
  static final String NETWORK = "solidus-test";

  private static final Duration SCREENING = Duration.ofSeconds(2);
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final AtomicReference<@Nullable ProtocolException> REFUSAL =
      new AtomicReference<>();

  final FakeSanctions sanctions = new FakeSanctions();
  private final TestDatabase database = TestPostgres.newDatabase();
  private final TestTokens tokens = TestTokens.create();

  /** As in production, so that every test shows that the service's role may do what it needs. */
  final TwoRoles roles = TwoRoles.migrated(database, "registration");

  private final JdbcClient superuser = roles.superuser();
  private final ConfigurableApplicationContext context;
  private final RestProbe rest;

  /**
   * Replaces the check of proofs, which has its own tests. It has no annotation, so that no
   * component scan finds it.
   */
  static class StubCheck {
    @Bean
    RegistrationCheck registrationCheck() {
      return request -> {
        ProtocolException refusal = REFUSAL.get();
        if (refusal != null) {
          throw refusal;
        }
      };
    }
  }

  record Answer(int status, JsonNode body) {
    String text(String field) {
      return body.path(field).asString("");
    }

    String code() {
      return text("code");
    }
  }

  /**
   * Starts the service with a fake registration check.
   *
   * @param overrides "--name=value"
   */
  ServiceHarness(Path dir, String... overrides) throws IOException {
    this(
        dir,
        new SpringApplicationBuilder(StubCheck.class, RegistrationApplication.class),
        overrides);
  }

  /** Starts the service as in production, without a fake check. */
  static ServiceHarness withRealChecks(Path dir, String... overrides) throws IOException {
    return new ServiceHarness(
        dir, new SpringApplicationBuilder(RegistrationApplication.class), overrides);
  }

  private ServiceHarness(Path dir, SpringApplicationBuilder application, String... overrides)
      throws IOException {
    REFUSAL.set(null);
    Map<String, Object> all = properties(dir);
    for (String override : overrides) {
      String[] pair = override.substring(2).split("=", 2);
      all.put(pair[0], pair[1]);
    }
    List<String> args =
        all.entrySet().stream()
            .map(entry -> "--" + entry.getKey() + "=" + entry.getValue())
            .toList();
    this.context =
        application
            .properties("spring.config.name=solidus-registration")
            .run(args.toArray(String[]::new));
    this.rest = new RestProbe(ServicePorts.http(context), ServicePorts.admin(context));
  }

  private Map<String, Object> properties(Path dir) throws IOException {
    Map<String, Object> all = new LinkedHashMap<>(roles.serviceProperties());
    all.putAll(tokens.springProperties());
    all.put("server.port", 0);
    all.put("solidus.admin.port", 0);
    all.putAll(TestKafka.absent());
    all.put("solidus.network.id", NETWORK);
    all.put("solidus.network.keys-dir", dir);
    all.put("solidus.network.manifest-key", "unused");
    all.put("solidus.network.allowed-key-classes", "development");
    all.put("solidus.registration.note-key-file", secret(dir, "note"));
    all.put("solidus.registration.person-key-file", secret(dir, "person"));
    all.put("solidus.registration.pepper-file", secret(dir, "pepper"));
    all.put("solidus.registration.check-deadline", "2m");
    all.put("solidus.registration.screening.url", sanctions.url());
    all.put("solidus.registration.screening.timeout", "2m");
    all.put("solidus.registration.screening.retry-min", "50ms");
    all.put("solidus.registration.screening.retry-max", "200ms");
    all.put("solidus.registration.screening.poll-interval", "50ms");
    all.put("solidus.registration.screening.batch-timeout", "2m");
    all.put("solidus.registration.screening.basis-interval", "50ms");
    all.put("solidus.registration.screening.sweep-interval", "100ms");
    return all;
  }

  private static Path secret(Path dir, String name) throws IOException {
    byte[] bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    return Files.write(dir.resolve(name), bytes);
  }

  void failChecksWith(@Nullable ProtocolException refusal) {
    REFUSAL.set(refusal);
  }

  /** A client of the service's schema that may do more than the service. */
  JdbcClient database() {
    return superuser;
  }

  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  RestProbe rest() {
    return rest;
  }

  TestTokens tokens() {
    return tokens;
  }

  Answer submit(Submission submission, String... idempotencyKey) {
    String[] headers =
        idempotencyKey.length == 0
            ? new String[0]
            : new String[] {"Idempotency-Key", idempotencyKey[0]};
    return answer(rest.post("/v1/registrations", submission.json(), headers));
  }

  /** The case as the wallet that submitted it sees it. */
  Answer look(Answer taken) {
    return answer(
        rest.get(
            "/v1/registrations/" + taken.text("caseId"),
            "X-Case-Token",
            taken.text("accessToken")));
  }

  /** The case as an operator sees it. */
  Answer file(Answer taken, String operator) {
    return answer(rest.get("/admin/v1/kyc/cases/" + taken.text("caseId"), as(operator)));
  }

  Answer approve(Answer taken, String operator, String body) {
    return decide(taken, operator, "approve", body);
  }

  Answer refuse(Answer taken, String operator) {
    return refuse(
        taken,
        operator,
        "{\"code\":\"document-unreadable\",\"reason\":\"the scan is cut off at the bottom\"}");
  }

  Answer refuse(Answer taken, String operator, String body) {
    return decide(taken, operator, "refuse", body);
  }

  /** An officer's verdict on a later case and an earlier one. */
  Answer verdict(
      Answer later, Answer earlier, String officer, String verdict, @Nullable String reason) {
    String body = "{\"verdict\":\"" + verdict + "\"";
    return answer(
        rest.post(
            "/admin/v1/kyc/cases/" + later.text("caseId") + "/duplicates/" + earlier.text("caseId"),
            reason == null ? body + "}" : body + ",\"reason\":\"" + reason + "\"}",
            as(officer)));
  }

  /** An officer's disposition of the first match in the file. */
  Answer dispose(Answer taken, String officer, String verdict) {
    JsonNode match = file(taken, officer).body().path("matches").get(0);
    return dispose(
        taken,
        officer,
        match.path("key").asString(),
        match.path("entryDigest").asString(),
        verdict);
  }

  Answer dispose(Answer taken, String officer, String key, String digest, String verdict) {
    return answer(
        rest.post(
            "/admin/v1/kyc/cases/" + taken.text("caseId") + "/dispositions",
            JSON.writeValueAsString(
                Map.of(
                    "key",
                    key,
                    "entryDigest",
                    digest,
                    "verdict",
                    verdict,
                    "reason",
                    "a whistleblower")),
            as(officer)));
  }

  /** Another person's word on the first match in the file. */
  Answer confirm(Answer taken, String approver, String verdict) {
    JsonNode match = file(taken, "olga").body().path("matches").get(0);
    return answer(
        rest.post(
            "/admin/v1/kyc/cases/" + taken.text("caseId") + "/dispositions/confirm",
            JSON.writeValueAsString(
                Map.of(
                    "key",
                    match.path("key").asString(),
                    "entryDigest",
                    match.path("entryDigest").asString(),
                    "verdict",
                    verdict,
                    "reason",
                    "another birth place")),
            approver(approver)));
  }

  /** The headers of a person with the role people-approver. */
  String[] approver(String subject) {
    return new String[] {"Authorization", "Bearer " + tokens.token(subject, "people-approver")};
  }

  /** Proposes the details of a submission for the person of a case. */
  Answer propose(Answer taken, Submission details, String officer, String reason) {
    return answer(
        rest.post(
            "/admin/v1/kyc/cases/" + taken.text("caseId") + "/changes",
            JSON.writeValueAsString(Map.of("person", details.personJson(), "reason", reason)),
            as(officer)));
  }

  /** Accepts or refuses the newest change in a file. */
  Answer decideChange(Answer file, String officer, String decision) {
    JsonNode changes = file.body().path("changes");
    return answer(
        rest.post(
            "/admin/v1/kyc/cases/"
                + file.text("caseId")
                + "/changes/"
                + changes.get(changes.size() - 1).path("changeId").asString()
                + "/"
                + decision,
            "{}",
            as(officer)));
  }

  /** The status as staff see it, after a while for the screening; leaves no event. */
  String status(Answer taken) {
    Instant end = Instant.now().plus(SCREENING);
    String status;
    do {
      status =
          database()
              .sql("SELECT status FROM kyc_case WHERE id::text = ?")
              .param(taken.text("caseId"))
              .query(String.class)
              .single();
    } while (status.equals("pending-screening") && Instant.now().isBefore(end));
    return status;
  }

  private Answer decide(Answer taken, String operator, String decision, String body) {
    return answer(
        rest.post(
            "/admin/v1/kyc/cases/" + taken.text("caseId") + "/" + decision, body, as(operator)));
  }

  Answer get(String path, String... headers) {
    return answer(rest.get(path, headers));
  }

  Answer post(String path, String body, String... headers) {
    return answer(rest.post(path, body, headers));
  }

  /** The headers of an operator with the role kyc-operator. */
  String[] as(String operator) {
    return new String[] {"Authorization", "Bearer " + tokens.token(operator, "kyc-operator")};
  }

  long count(String table) {
    return database().sql("SELECT count(*) FROM " + table).query(Long.class).single();
  }

  private static Answer answer(RestProbe.Answer answer) {
    return new Answer(answer.status(), answer.json());
  }

  @Override
  public void close() {
    context.close();
    sanctions.close();
  }
}
