package io.solidus.operator.registration.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.solidus.dev.testkit.TestPostgres;
import io.solidus.operator.registration.cases.ServiceHarness.Answer;
import io.solidus.operator.registration.person.IdentityHasher;
import io.solidus.protocol.ProtocolException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Cases that were there before persons were. */
@Tag("process")
class OldCasesTest {
  private static final String FILL =
      """
      INSERT INTO kyc_case (id, identity_key, document_key, person_tag, sealed_person, apk, core, request, request_key,
          request_digest, status, screened_at, screen_after, sealed_reason, decided_by, decided_at, attestation_note, created_at)
      SELECT gen_random_uuid(), sha256('i'), sha256('d'), sha256('t'), '', sha256(status::bytea), sha256('c'), '',
          sha256(status::bytea), sha256('r'), status, now(), now(), '', 'olga', now(), note, now()
      FROM (VALUES ('refused', NULL), ('approved', 'note')) old (status, note)
      """;

  @TempDir private Path dir;

  @Test
  void approvedPersonsKeepTheirTagAndRefusedOnesReadACode() {
    DataSource database = TestPostgres.newDatabase().dataSource();
    JdbcClient jdbc = JdbcClient.create(database);
    migrate(database, "1");
    jdbc.sql(FILL).update();
    migrate(database, "latest");
    assertThat(
            jdbc.sql(
                    "SELECT p.tag = sha256('t') FROM kyc_case c JOIN person p ON p.id = c.person_id WHERE status = 'approved'")
                .query(Boolean.class)
                .single())
        .isTrue();
    assertThat(
            jdbc.sql("SELECT document_key = sha256('d') FROM person_document")
                .query(Boolean.class)
                .list())
        .as("both cases are of one person, with one document")
        .containsExactly(true);
    assertThat(
            jdbc.sql("SELECT refusal_code FROM kyc_case WHERE status = 'refused'")
                .query(String.class)
                .single())
        .isEqualTo("come-to-the-bank");
    assertThat(jdbc.sql("SELECT count(*) FROM case_to_seal").query(Long.class).single())
        .as("both are under the master key")
        .isEqualTo(2);
  }

  private static void migrate(DataSource database, String target) {
    Flyway.configure()
        .dataSource(database)
        .locations("classpath:db/outbox", "classpath:db/registration")
        .target(target)
        .load()
        .migrate();
  }

  @Test
  void nobodyRegistersBeforeOldCasesCanBeFound() throws Exception {
    try (ServiceHarness service = new ServiceHarness(dir)) {
      Submission ada = Submission.fresh();
      Answer registered = service.submit(ada);
      service.approve(registered, "olga", "{}");
      for (String sql :
          List.of(
              "ALTER TABLE kyc_case DISABLE TRIGGER kyc_decision_is_final",
              "UPDATE kyc_case SET birth_key = NULL",
              "ALTER TABLE kyc_case ENABLE TRIGGER kyc_decision_is_final")) {
        service.database().sql(sql).update();
      }
      DuplicateSearch starting =
          new DuplicateSearch(
              service.bean(DuplicateStore.class),
              service.bean(CaseStore.class),
              service.bean(IdentityHasher.class),
              service.bean(TransactionTemplate.class),
              Clock.systemUTC());
      assertThatExceptionOfType(ProtocolException.class).isThrownBy(starting::requireComplete);
      starting.fillBirthKeys();
      assertThatCode(starting::requireComplete).doesNotThrowAnyException();

      Answer again =
          service.submit(Submission.fresh().samePersonAs(ada).person("documentNumber", "C2"));
      assertThat(service.status(again)).isEqualTo("possible-duplicate");
    }
  }

  @Test
  void oldCasesAreSearchedAmongThemselves() throws Exception {
    try (ServiceHarness service = new ServiceHarness(dir)) {
      Submission ada = Submission.fresh();
      Answer one = service.submit(ada);
      Answer other =
          service.submit(Submission.fresh().samePersonAs(ada).person("documentNumber", "C2"));
      Answer open =
          service.submit(Submission.fresh().samePersonAs(ada).person("documentNumber", "C3"));
      assertThat(service.status(open)).isEqualTo("possible-duplicate");
      asBeforeThereWerePairs(service);
      for (Answer each : List.of(one, other)) {
        approveAsBefore(service, each);
      }

      service.bean(DuplicateSearch.class).searchAll();
      assertThat(service.status(open)).isEqualTo("possible-duplicate");
      Answer queue = service.get("/admin/v1/kyc/duplicates", service.as("olga"));
      assertThat(queue.body().path("pairs")).hasSize(1);
      assertThat(queue.body().path("pairs").get(0).path("caseId").asString())
          .isEqualTo(other.text("caseId"));
      assertThat(service.rest().get("/actuator/prometheus").body())
          .contains("solidus_registration_duplicates_registered 1.0");

      service.verdict(other, one, "olga", "other-person", "twins");
      service.verdict(other, one, "oscar", "other-person", "twins indeed");
      assertThat(service.get("/admin/v1/kyc/duplicates", service.as("olga")).body().path("pairs"))
          .isEmpty();
    }
  }

  @Test
  void anOpenCaseFromBeforeIsSearchedAtItsApproval() throws Exception {
    try (ServiceHarness service = new ServiceHarness(dir)) {
      Submission ada = Submission.fresh();
      service.submit(ada);
      Answer open =
          service.submit(Submission.fresh().samePersonAs(ada).person("documentNumber", "C3"));
      assertThat(service.status(open)).isEqualTo("possible-duplicate");
      asBeforeThereWerePairs(service);
      assertThat(service.approve(open, "olga", "{}").code()).isEqualTo("possible-duplicate");
    }
  }

  private static void asBeforeThereWerePairs(ServiceHarness service) {
    for (String sql :
        List.of(
            "ALTER TABLE possible_duplicate DISABLE TRIGGER duplicate_verdict_of_two",
            "DELETE FROM possible_duplicate",
            "ALTER TABLE possible_duplicate ENABLE TRIGGER duplicate_verdict_of_two",
            "DELETE FROM duplicate_search",
            "DELETE FROM birth_name_key",
            "UPDATE kyc_case SET status = 'pending' WHERE status = 'possible-duplicate'")) {
      service.database().sql(sql).update();
    }
  }

  /** Approves without a search, as the release before did. */
  private static void approveAsBefore(ServiceHarness service, Answer taken) {
    service
        .database()
        .sql(
            "UPDATE kyc_case SET status = 'approved', decided_by = 'olga', decided_at = now(),"
                + " attestation_note = 'x' WHERE id::text = ?")
        .param(taken.text("caseId"))
        .update();
  }
}
