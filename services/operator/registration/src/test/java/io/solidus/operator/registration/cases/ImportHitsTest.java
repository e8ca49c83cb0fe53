package io.solidus.operator.registration.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.processes.Await;
import io.solidus.operator.registration.cases.ServiceHarness.Answer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * While an import waits, the sanctions service hears which customers it would hit, and no names.
 */
@Tag("process")
class ImportHitsTest {
  private static final String IMPORT = "6f1f5a0e-1c0d-4a86-9a0f-6b0f6a3f1c11";

  @Test
  void tellsHowManyCustomersAnImportHits(@TempDir Path dir) throws IOException {
    try (ServiceHarness service = new ServiceHarness(dir)) {
      Answer hit = service.submit(Submission.fresh().person("familyName", "Strangeway"));
      Answer other = service.submit(Submission.fresh());
      Answer latin =
          service.submit(
              Submission.fresh()
                  .person("givenName", "\u0410\u0434\u0430")
                  .person("familyName", "\u0421\u0442\u0440\u0435\u043d\u0434\u0436")
                  .person("latinName", "Ada Strangeway"));
      Answer refused = service.submit(Submission.fresh().person("familyName", "Strangeway"));
      Await.until("all are screened", () -> service.status(latin).equals("pending"));
      service.refuse(refused, "olga");

      service.sanctions.letImportWait(IMPORT, "Strangeway");
      Await.until("it is told", () -> !service.sanctions.reports().isEmpty());
      assertThat(service.sanctions.reports())
          .singleElement()
          .asString()
          .startsWith(IMPORT + "/customers {\"screened\":3,\"hit\":2,")
          .contains(hit.text("caseId"), latin.text("caseId"))
          .doesNotContain(other.text("caseId"), "Strangeway");
    }
  }
}
