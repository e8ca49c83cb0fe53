package io.solidus.operator.registration.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestDatabase;
import io.solidus.dev.testkit.TestPostgres;
import io.solidus.dev.testkit.TestTokens;
import io.solidus.operator.registration.person.IdentityHasher;
import io.solidus.operator.registration.person.Person;
import io.solidus.operator.registration.screening.Screening;
import io.solidus.operator.registration.screening.ScreeningBasis;
import io.solidus.operator.sanctions.SanctionsApplication;
import io.solidus.platform.bank.BankScope;
import io.solidus.platform.boot.ServicePorts;
import io.solidus.protocol.Apk;
import io.solidus.protocol.BlindedCoin;
import io.solidus.protocol.Family;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.G1Point;
import io.solidus.protocol.KeyPoint;
import io.solidus.protocol.ProofBytes;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.wire.Codecs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code ./solidus bench screening --rescreen PERSONS}: how long it takes until all registered
 * persons are screened against a list that has changed in 100 entries. Both services run with their
 * databases in this process; persons are written to the database directly. It is no test of the
 * suite, which has no published lists.
 */
class RescreeningBenchmark {
  private static final int CHANGED = 100;
  private static final int PERSONS = Integer.getInteger("solidus.bench.persons", 20_000);
  private static final int BATCH = 1000;
  private static final int GOAL_PERSONS = 1_000_000;
  private static final int GOAL_STEP = 100_000;
  private static final Path DATA =
      Path.of(System.getProperty("solidus.bench.data", "../../../../shared/data"));

  @TempDir private Path dir;
  private final TestTokens tokens = TestTokens.create();

  @Test
  void measures() throws Exception {
    List<String> whole =
        Files.readAllLines(DATA.resolve("sanctions/ofac_sdn_2019.csv"), StandardCharsets.UTF_8);
    try (ConfigurableApplicationContext sanctions = sanctions()) {
      RestProbe rest = new RestProbe(ServicePorts.http(sanctions), ServicePorts.admin(sanctions));
      upload(rest, String.join("\r\n", whole.subList(0, whole.size() - CHANGED)));
      Path token = renewToken();
      // A token lasts ten minutes, less than a run with a million persons.
      ScheduledExecutorService renewal = Executors.newSingleThreadScheduledExecutor();
      ScheduledFuture<?> renewals =
          renewal.scheduleAtFixedRate(this::renewToken, 1, 1, TimeUnit.MINUTES);
      try (renewal;
          ServiceHarness service =
              new ServiceHarness(
                  dir,
                  "--solidus.registration.screening.url=http://127.0.0.1:"
                      + ServicePorts.admin(sanctions),
                  "--solidus.registration.screening.token-file=" + token,
                  "--solidus.registration.screening.basis-interval=1h")) {
        register(service);
        upload(rest, String.join("\r\n", whole));
        measure(service);
        renewals.cancel(true);
      }
    }
  }

  private Path renewToken() {
    try {
      Path next =
          Files.writeString(dir.resolve("token.next"), tokens.token("registration", "service"));
      return Files.move(
          next,
          dir.resolve("token"),
          StandardCopyOption.REPLACE_EXISTING,
          StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static void measure(ServiceHarness service) throws Exception {
    ScreeningBasis newest = service.bean(Screening.class).basis();
    ScreeningStore screenings = service.bean(ScreeningStore.class);
    assertThat(screenings.countOutdated(newest.digest())).isEqualTo(PERSONS);
    long start = System.nanoTime();
    service.bean(CaseScreeningService.class).screenOutdated();
    double seconds = (System.nanoTime() - start) / 1e9;
    assertThat(screenings.countOutdated(newest.digest())).isZero();
    double millis = 1000 * seconds / PERSONS;
    Map<String, Object> result = new HashMap<>();
    result.put("persons", PERSONS);
    result.put("changedEntries", CHANGED);
    result.put("seconds", seconds);
    result.put("millisPerPerson", millis);
    result.put("minutesForAMillionExtrapolated", millis * GOAL_PERSONS / 60_000);
    result.put("matched", screenings.countAlerts(BankScope.every()));
    String json = JsonMapper.builder().build().writeValueAsString(result);
    System.out.println(json);
    String file = System.getProperty("solidus.bench.json", "");
    if (!file.isEmpty()) {
      Files.writeString(Path.of(file), json + "\n");
    }
  }

  private ConfigurableApplicationContext sanctions() throws Exception {
    TestDatabase database = TestPostgres.newDatabase();
    Map<String, Object> properties = new HashMap<>(database.springProperties());
    properties.putAll(tokens.springProperties());
    properties.put("server.port", 0);
    properties.put("solidus.admin.port", 0);
    properties.put("spring.kafka.bootstrap-servers", "127.0.0.1:1");
    properties.put("solidus.sanctions.network-id", ServiceHarness.NETWORK);
    properties.put("solidus.sanctions.note-key-file", secret("checkpoint"));
    properties.put("solidus.sanctions.policy-note-key-file", secret("policy"));
    properties.put("solidus.sanctions.public-url", "http://sanctions.example");
    return SanctionsApplication.start(properties);
  }

  private Path secret(String name) throws Exception {
    byte[] bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    return Files.write(dir.resolve("sanctions-" + name), bytes);
  }

  private void upload(RestProbe rest, String file) {
    RestProbe.Answer imported =
        rest.exchange(
            "POST",
            "/admin/v1/sanctions/lists/ofac/imports?reason=benchmark",
            BodyPublishers.ofString(file),
            "Authorization",
            "Bearer " + tokens.token("olga", "sanctions-operator"),
            "Content-Type",
            "application/octet-stream");
    assertThat(imported.status()).as(imported.body()).isEqualTo(202);
    String proposal = imported.json().path("proposal").path("id").asString();
    RestProbe.Answer accepted =
        rest.send(
            "POST",
            "/admin/v1/approvals/" + proposal,
            Map.of("confirmation", "benchmark"),
            "Authorization",
            "Bearer " + tokens.token("anna", "approver"));
    assertThat(accepted.status()).as(accepted.body()).isEqualTo(200);
  }

  /** Writes registered persons who were found clear of the list of now. */
  private static void register(ServiceHarness service) throws Exception {
    List<String> names =
        Files.readAllLines(DATA.resolve("screening/negatives_us.csv"), StandardCharsets.UTF_8);
    CaseCodec codec = service.bean(CaseCodec.class);
    IdentityHasher hasher = service.bean(IdentityHasher.class);
    ScreeningBasis basis = service.bean(Screening.class).basis();
    service
        .database()
        .sql("INSERT INTO screening_basis VALUES (?, ?, ?, ?, now())")
        .params(basis.digest().bytes(), basis.listText(), basis.matcher(), basis.threshold())
        .update();
    JdbcTemplate jdbc = service.bean(JdbcTemplate.class);
    byte[] request = Codecs.toBytes(request());
    for (int from = 0; from < PERSONS; from += BATCH) {
      if (from % GOAL_STEP == 0) {
        System.out.println(from + " of " + PERSONS + " persons registered");
      }
      List<Object[]> cases = new ArrayList<>();
      for (int i = from; i < Math.min(PERSONS, from + BATCH); i++) {
        Person person = person(names.get(1 + i % (names.size() - 1)).split(",", -1), i);
        UUID id = UUID.randomUUID();
        byte[] unique = hasher.caseToken(id).bytes();
        byte[] apk = unique.clone();
        apk[0] = 0; // below the field's modulus
        DataKeys.Fresh key = codec.newKey(id);
        cases.add(
            new Object[] {
              id,
              UUID.randomUUID(),
              hasher.identify(person).birthKey().bytes(),
              codec.sealPerson(key, id, person),
              apk,
              unique,
              request,
              unique,
              unique,
              key.sealed(),
              key.master()
            });
      }
      jdbc.batchUpdate(
          "WITH p AS (INSERT INTO person (id, created_at) VALUES (?, now())),"
              + " c AS (INSERT INTO kyc_case (person_id, id, birth_key, sealed_person, apk, core, request, request_key,"
              + " request_digest, status, screened_at, screen_after, decided_by, decided_at, attestation_note, created_at)"
              + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'approved', now(), now(), 'olga', now(), 'note', now()) RETURNING id)"
              + " INSERT INTO data_key (case_id, sealed_key, master) SELECT id, ?, ? FROM c",
          cases.stream()
              .map(row ->
                  new Object[] {
                    row[1], row[1], row[0], row[2], row[3], row[4], row[5], row[6], row[7], row[8],
                    row[9], row[10]
                  })
              .toList());
    }
    for (String sql :
        List.of(
            "INSERT INTO screening (case_id, at, basis, verdict) SELECT id, now(), digest, 'clear' FROM kyc_case, screening_basis",
            "INSERT INTO newest_screening (case_id, screening, basis, open_matches, whole_at)"
                + " SELECT case_id, sequence, basis, 0, at FROM screening")) {
      jdbc.execute(sql);
    }
    service.database().sql("ANALYZE").update();
  }

  /** A transaction that can be read and that nobody verifies. */
  private static RegisterRequest request() {
    return new RegisterRequest(
        new RegisterStatement(
            Apk.of(ones(FieldElement.BYTES)),
            new BlindedCoin(new FieldElement(ones(FieldElement.BYTES)), new G1Point(ones(96)))),
        1,
        new KeyPoint(ones(64)),
        ones(Family.REGISTER.proofBytes()),
        ones(ProofBytes.RK_SIGNATURE));
  }

  private static byte[] ones(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) 1);
    return bytes;
  }

  private static Person person(String[] row, int number) {
    return new Person(
        row[1].isBlank() ? "Ada" : row[1],
        row[3].isBlank() ? "Lovelace" : row[3],
        LocalDate.of(1940, 1, 1).plusDays(number % 25_000),
        "US",
        "B" + number);
  }
}
