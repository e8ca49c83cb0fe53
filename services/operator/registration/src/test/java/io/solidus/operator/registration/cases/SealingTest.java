package io.solidus.operator.registration.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.operator.registration.cases.ServiceHarness.Answer;
import io.solidus.operator.registration.person.PersonVault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import javax.crypto.SecretKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** What is not under the newest keys is sealed anew while the service runs. */
@Tag("process")
class SealingTest {
  private static final List<String> TABLES =
      List.of(
          "kyc_case",
          "person_change",
          "standing_step",
          "screening",
          "match_disposition",
          "disposition_confirmation",
          "duplicate_opinion");

  @TempDir private Path dir;
  private ServiceHarness service;

  @BeforeEach
  void start() throws IOException {
    service =
        new ServiceHarness(
            dir,
            "--solidus.registration.retention.refused.at-least=P0D",
            "--solidus.registration.retention.closed.at-least=P0D");
  }

  @AfterEach
  void stop() {
    service.close();
  }

  @Test
  void whatTheFirstVersionSealedIsReadAndSealedAnewAlsoWhenItIsBrokenOff() throws Exception {
    List<Answer> all = cases();
    List<String> files = files(all);
    asTheFirstVersion();
    assertThat(ofVersion(1)).as("everything is under the master key").isGreaterThan(20);
    assertThat(ofVersion(2) + ofVersion(3)).isZero();
    assertThat(files(all)).isEqualTo(files);
    assertThat(metric("cases_unsealed")).isEqualTo(all.size());

    SealingService sealing = service.bean(SealingService.class);
    TransactionTemplate transaction = service.bean(TransactionTemplate.class);
    UUID first = UUID.fromString(all.getFirst().text("caseId"));
    transaction.executeWithoutResult(status -> {
      sealing.seal(first);
      status.setRollbackOnly(); // as a kill before the commit does
    });
    assertThat(files(all)).isEqualTo(files);
    assertThat(sealing.countWaiting()).isEqualTo(all.size());
    Thread killed = Thread.ofVirtual().start(sealing::run);
    while (sealing.countWaiting() == all.size() && killed.isAlive()) {
      Thread.onSpinWait();
    }
    killed.interrupt();
    killed.join();
    assertThat(files(all)).as("half of it").isEqualTo(files);
    Answer written =
        service.propose(all.getLast(), Submission.fresh(), "olga", "a write to an old case");
    assertThat(written.status()).isEqualTo(200);

    sealing.run();
    assertThat(ofVersion(1)).isZero();
    assertThat(metric("cases_unsealed")).isZero();
    assertThat(files(all.subList(0, 2))).isEqualTo(files.subList(0, 2));
    assertThat(StolenDatabase.in(service).text()).contains("whistleblower", "theirparents");
  }

  @Test
  void anOldCaseIsErasedToo() throws Exception {
    Submission ada = Submission.fresh();
    Answer refused = service.submit(ada);
    service.refuse(refused, "olga");
    asTheFirstVersion();
    String steps = "/admin/v1/kyc/cases/" + refused.text("caseId") + "/steps";
    Answer proposed =
        service.post(steps, "{\"kind\":\"erase\",\"reason\":\"she asks\"}", service.as("olga"));
    String step = proposed.body().path("steps").get(0).path("stepId").asString();
    assertThat(
            service
                .post(steps + "/" + step + "/accept", "{}", service.approver("paula"))
                .body()
                .path("erasedAt")
                .isNull())
        .isFalse();
    assertThat(StolenDatabase.in(service).text())
        .doesNotContain(ada.personField("familyName"), ada.personField("documentNumber"));
    assertThat(service.file(refused, "olga").body().path("person").path("givenName").asString())
        .isEqualTo("(erased)");
  }

  @Test
  void aNewMasterKeySealsAllKeysAgain() throws Exception {
    List<Answer> all = cases();
    byte[] former = Files.readAllBytes(dir.resolve("person"));
    byte[] fresh = new byte[32];
    fresh[0] = 7;
    JdbcClient jdbc = service.database();
    PersonVault both = new PersonVault(List.of(fresh, former));
    DataKeys keys = new DataKeys(jdbc, both);
    assertThat(metric("keys_former")).isZero();
    assertThat(keys.countFormer()).isEqualTo(all.size());
    new SealingService(
            jdbc, new CaseCodec(both, keys), keys, service.bean(TransactionTemplate.class))
        .run();
    assertThat(keys.countFormer()).isZero();
    PersonVault freshOnly = new PersonVault(List.of(fresh));
    CaseCodec codec = new CaseCodec(freshOnly, new DataKeys(jdbc, freshOnly));
    CaseStore store = new CaseStore(jdbc, codec);
    for (Answer each : all) {
      assertThat(store.find(UUID.fromString(each.text("caseId"))).orElseThrow().person().fullName())
          .startsWith("Ada ");
    }
  }

  @Test
  void theMasterKeyIsChangedAsTheGuideSays() throws Exception {
    Submission ada = Submission.fresh();
    Answer taken = Lives.eventful(service, ada);
    Path former = Files.copy(dir.resolve("person"), dir.resolve("person.key"));
    Path pepper = Files.copy(dir.resolve("pepper"), dir.resolve("pepper.key"));
    byte[] seed = new byte[32];
    new SecureRandom().nextBytes(seed);
    Path fresh = Files.write(dir.resolve("person-2.key"), seed);
    Environment environment = service.bean(Environment.class);
    List<String> same = new ArrayList<>();
    for (String name : List.of("url", "username", "password")) {
      String key = "spring.datasource." + name;
      same.add("--" + key + "=" + environment.getRequiredProperty(key));
    }
    same.add("--solidus.registration.pepper-file=" + pepper);
    String[] both = with(same, "person-key-file=" + fresh, "retired-person-key-files=" + former);
    String[] step2 = with(same, "person-key-file=" + former, "retired-person-key-files=" + fresh);
    String[] step5 = with(same, "person-key-file=" + fresh);
    service.close();

    service = new ServiceHarness(dir, step5);
    assertThat(service.file(taken, "olga").status())
        .as("without the former key, nothing is readable")
        .isEqualTo(500);
    service.close();
    try (ServiceHarness waiting = new ServiceHarness(dir, step2)) {
      service = new ServiceHarness(dir, both);
      Instant end = Instant.now().plusSeconds(20);
      while (metric("keys_former") > 0) {
        assertThat(Instant.now()).isBefore(end);
        Thread.sleep(50);
      }
      assertThat(metric("cases_unsealed")).isZero();
      assertThat(waiting.file(taken, "olga").status())
          .as("a replica that is not changed yet reads what the changed one sealed")
          .isEqualTo(200);
      service.close();
    }
    service = new ServiceHarness(dir, step5);
    assertThat(service.file(taken, "olga").body().toString())
        .contains(ada.personField("familyName"), "whistleblower");
    Answer next = service.submit(Submission.fresh());
    assertThat(service.file(next, "olga").status()).isEqualTo(200);
  }

  private static String[] with(List<String> same, String... settings) {
    List<String> all = new ArrayList<>(same);
    Stream.of(settings).map(each -> "--solidus.registration." + each).forEach(all::add);
    return all.toArray(String[]::new);
  }

  /** Two with everything that is sealed, one refused, and one open. */
  private List<Answer> cases() {
    Submission ada = Submission.fresh();
    Answer registered = Lives.eventful(service, ada);
    Answer twin =
        service.submit(Submission.fresh().samePersonAs(ada).person("documentNumber", "OTHERTWIN"));
    assertThat(service.status(twin)).isEqualTo("possible-duplicate");
    service.verdict(twin, registered, "olga", "other-person", "theirparents named both");
    Answer refused = service.submit(Submission.fresh());
    service.refuse(refused, "olga");
    Answer changed = Lives.eventful(service, Submission.fresh());
    return List.of(registered, twin, refused, changed);
  }

  private List<String> files(List<Answer> all) {
    return all.stream()
        .map(each -> {
          // a view adds an event
          String body = service.file(each, "olga").body().toString();
          assertThat(body).contains("givenName");
          return body.replaceAll("\"events\":\\[.*?\\]", "");
        })
        .toList();
  }

  private double metric(String name) {
    return service
        .rest()
        .get("/actuator/prometheus")
        .body()
        .lines()
        .filter(line -> line.startsWith("solidus_registration_" + name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
        .findFirst()
        .orElseThrow();
  }

  private long ofVersion(int version) {
    List<Long> counts = new ArrayList<>();
    for (String table : TABLES) {
      for (String column : columns(table)) {
        counts.add(
            service
                .database()
                .sql("SELECT count(*) FROM " + table + " WHERE get_byte(" + column + ", 0) = ?")
                .param(version)
                .query(Long.class)
                .single());
      }
    }
    return counts.stream().mapToLong(Long::longValue).sum();
  }

  private List<String> columns(String table) {
    return service
        .database()
        .sql(
            "SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema()"
                + " AND table_name = ? AND column_name LIKE 'sealed%'")
        .param(table)
        .query(String.class)
        .list();
  }

  /** Seals everything under the master key, as the release before did. */
  private void asTheFirstVersion() {
    JdbcClient jdbc = service.database();
    PersonVault vault = service.bean(PersonVault.class);
    TABLES.forEach(table -> jdbc.sql("ALTER TABLE " + table + " DISABLE TRIGGER USER").update());
    for (String table : TABLES) {
      for (String column : columns(table)) {
        record Row(String ctid, UUID caseId, UUID other, String id, byte[] sealed) {}
        String owner =
            table.equals("disposition_confirmation")
                ? "(SELECT d.case_id FROM match_disposition d WHERE d.sequence = disposition)"
                : (table.equals("kyc_case") ? "id" : "case_id");
        String id = table.equals("person_change") || table.equals("standing_step") ? "id" : "NULL";
        String other = table.equals("duplicate_opinion") ? "other_id" : "NULL::uuid";
        jdbc.sql(
                "SELECT ctid::text, "
                    + owner
                    + ", "
                    + other
                    + ", "
                    + id
                    + "::text, "
                    + column
                    + " FROM "
                    + table
                    + " WHERE "
                    + column
                    + " IS NOT NULL")
            .query((row, n) ->
                new Row(
                    row.getString(1),
                    row.getObject(2, UUID.class),
                    row.getObject(3, UUID.class),
                    row.getString(4),
                    row.getBytes(5)))
            .list()
            .forEach(row -> {
              String label = label(table, column, row.id(), row.other());
              byte[] sealed = row.sealed();
              if (sealed[0] == 3) {
                sealed =
                    vault.open(
                        key(row.other()),
                        row.other(),
                        "opinion/" + row.caseId(),
                        Arrays.copyOfRange(sealed, 1, sealed.length));
              }
              byte[] plain = vault.open(key(row.caseId()), row.caseId(), label, sealed);
              jdbc.sql("UPDATE " + table + " SET " + column + " = ? WHERE ctid = ?::tid")
                  .params(vault.seal(row.caseId(), label, plain), row.ctid())
                  .update();
            });
      }
    }
    TABLES.forEach(table -> jdbc.sql("ALTER TABLE " + table + " ENABLE TRIGGER USER").update());
    jdbc.sql("ALTER TABLE data_key DISABLE TRIGGER USER").update();
    jdbc.sql("DELETE FROM data_key").update();
    jdbc.sql("ALTER TABLE data_key ENABLE TRIGGER USER").update();
    jdbc.sql("INSERT INTO case_to_seal SELECT id FROM kyc_case").update();
  }

  private SecretKey key(UUID caseId) {
    return service
        .bean(PersonVault.class)
        .openDataKey(
            caseId,
            service
                .database()
                .sql("SELECT sealed_key FROM data_key WHERE case_id = ?")
                .param(caseId)
                .query(byte[].class)
                .single());
  }

  private static String label(String table, String column, String id, UUID other) {
    return switch (table) {
      case "duplicate_opinion" -> "opinion/" + other;
      case "match_disposition", "disposition_confirmation" -> "disposition";
      case "standing_step" -> "step/" + id;
      default ->
          table.equals("person_change") && column.equals("sealed_reason")
              ? "change/" + id
              : column.substring("sealed_".length());
    };
  }
}
