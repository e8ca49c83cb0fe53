package io.solidus.operator.registration.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.operator.registration.cases.ServiceHarness.Answer;
import io.solidus.operator.registration.screening.FakeSanctions;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * Canary names and numbers must never appear in the database or in the log, in any state of a case.
 */
@Tag("process")
@ExtendWith(OutputCaptureExtension.class)
class PrivacyTest {
  private static final List<String> CANARIES =
      List.of("canary", "1985-12-10", "whistleblower", "lovelace");
  private static final List<String> TABLES =
      List.of(
          "kyc_case",
          "kyc_event",
          "person",
          "person_document",
          "possible_duplicate",
          "duplicate_opinion",
          "screening",
          "screening_basis",
          "newest_screening",
          "match_disposition",
          "person_change",
          "birth_name_key",
          "duplicate_search",
          "disposition_confirmation",
          "standing_step",
          "data_key",
          "outbox");
  @TempDir private Path dir;

  @Test
  void personalDataIsNeitherStoredUnencryptedNorLogged(CapturedOutput output) throws IOException {
    try (ServiceHarness service =
        new ServiceHarness(dir, "--logging.level.org.springframework.web=DEBUG")) {
      runAllOperations(service);
      for (String table : TABLES) {
        assertNoCanary(dump(service, table), table);
      }
    }
    assertNoCanary(output.getAll(), "log");
    assertThat(output.getAll()).as("the log was captured").contains("waits for its screening");
  }

  private static void runAllOperations(ServiceHarness service) {
    service.sanctions.answer(200, FakeSanctions.ONE_MATCH);
    Submission person = Submission.fresh().person("birthDate", "1985-12-10");
    Answer reviewed = service.submit(person);
    Answer second = service.submit(person.otherAddress());
    service.verdict(second, reviewed, "olga", "other-person", "a whistleblower");
    service.get("/admin/v1/kyc/cases/" + second.text("caseId") + "/duplicates", service.as("olga"));
    service.dispose(reviewed, "olga", "false-positive");
    service.confirm(reviewed, "paula", "false-positive");
    service.post(
        "/admin/v1/kyc/search",
        "{\"name\":\"Ada Canaryname\",\"birthDate\":\"1985-12-10\"}",
        service.as("olga"));
    service.approve(reviewed, "olga", "{\"reason\":\"a whistleblower\"}");
    service.propose(
        reviewed, person.person("familyName", "Canarymarried"), "olga", "a whistleblower");
    service.post(
        "/admin/v1/kyc/cases/" + reviewed.text("caseId") + "/steps",
        "{\"kind\":\"suspend\",\"reason\":\"a whistleblower\"}",
        service.as("olga"));
    service.look(reviewed);
    Answer refused = service.submit(Submission.fresh());
    service
        .rest()
        .post(
            "/admin/v1/kyc/cases/" + refused.text("caseId") + "/refuse",
            "{\"code\":\"come-to-the-bank\",\"reason\":\"a whistleblower\"}",
            service.as("olga"));
    service.sanctions.answer(500, "canary");
    service.submit(Submission.fresh());
    service.submit(Submission.fresh().person("nationality", "canary"));
    service.submit(Submission.fresh().person("birthDate", "canary"));
    service.submit(Submission.fresh().person("canary", "canary"));
    service.submit(Submission.fresh().person("givenName", List.of("canary")));
    service.rest().post("/v1/registrations", "{\"person\":{\"givenName\":\"canary\"");
    service.failChecksWith(new ProtocolException(RejectionCode.PROOF_INVALID, "no"));
    service.submit(Submission.fresh());
    service.failChecksWith(null);
    service.get("/admin/v1/kyc/cases", service.as("olga"));
  }

  /** All values of the table as text; bytes are decoded as UTF-8. */
  private static String dump(ServiceHarness service, String table) {
    StringBuilder all = new StringBuilder();
    service
        .database()
        .sql("SELECT * FROM " + table)
        .query()
        .listOfRows()
        .forEach(row ->
            row.values()
                .forEach(value ->
                    all.append(
                            value instanceof byte[] bytes
                                ? new String(bytes, StandardCharsets.UTF_8)
                                : value)
                        .append('\n')));
    assertThat(all).as(table + " has rows").isNotEmpty();
    return all.toString();
  }

  private static void assertNoCanary(String text, String where) {
    String lower = text.toLowerCase(Locale.ROOT);
    for (String canary : CANARIES) {
      assertThat(lower.contains(canary)).as(where + " contains " + canary).isFalse();
      String hex = HexFormat.of().formatHex(canary.getBytes(StandardCharsets.UTF_8));
      assertThat(lower.contains(hex))
          .as(where + " contains " + canary + " in hexadecimal")
          .isFalse();
    }
  }
}
