package io.solidus.operator.sanctions;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.RestProbe.Answer;
import io.solidus.operator.sanctions.list.Samples;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A release that reads more of a list need not wait until the publisher changes the file. */
@Tag("process")
class ReadAgainTest {
  @Test
  void aFileThatAnEarlierReaderReadIsImportedAgain(@TempDir Path directory) throws Exception {
    try (SanctionsFixture service = SanctionsFixture.start(directory, SanctionsFixture.NO_KAFKA)) {
      assertThat(service.upload("un", Samples.un()).status()).isEqualTo(201);
      assertThat(service.importFile("un", Samples.un(), "").status())
          .as("the same file, read by the same reader")
          .isEqualTo(200);

      // as a release left it that read no documents and no dates
      past(service, "list_version", "UPDATE list_version SET reader = 0");
      past(
          service,
          "listed_entry",
          "UPDATE listed_entry SET documents = '{}', birth_dates = '{}', nationalities = '{}'");
      Answer again = service.importFile("un", Samples.un(), "?reason=read%20by%20this%20release");
      assertThat(again.status()).as(again.body()).isEqualTo(202);
      assertThat(again.json().at("/proposal/payload/changed").asInt()).isPositive();
      assertThat(again.json().at("/proposal/payload/removed").asInt()).isZero();
      Answer accepted =
          service.rest.post(
              "/admin/v1/approvals/" + SanctionsFixture.proposalOf(again),
              Map.of("confirmation", "seen"),
              service.approver());
      assertThat(accepted.status()).as(accepted.body()).isEqualTo(200);
      assertThat(
              service
                  .database
                  .jdbc()
                  .sql(
                      "SELECT count(*) FROM listed_entry JOIN list_head USING (list, version)"
                          + " WHERE list = 'un' AND (documents <> '{}' OR birth_dates <> '{}')")
                  .query(Long.class)
                  .single())
          .isPositive();
      assertThat(service.importFile("un", Samples.un(), "").status()).isEqualTo(200);
    }
  }

  private static void past(SanctionsFixture service, String table, String statement) {
    service
        .database
        .jdbc()
        .sql(
            "DO $$ BEGIN ALTER TABLE "
                + table
                + " DISABLE TRIGGER ALL; "
                + statement
                + "; ALTER TABLE "
                + table
                + " ENABLE TRIGGER ALL; END $$")
        .update();
  }
}
