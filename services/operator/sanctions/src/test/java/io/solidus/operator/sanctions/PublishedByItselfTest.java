package io.solidus.operator.sanctions;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.RestProbe.Answer;
import io.solidus.operator.sanctions.checkpoint.CheckpointDue;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The approver sees the address that was typed and whose it is, and an approved listing does not
 * wait for somebody to publish it.
 */
@Tag("process")
class PublishedByItselfTest {
  private static final String APK = "0a".repeat(32);

  @Test
  void anApprovedListingIsPublishedByItself(@TempDir Path directory) throws Exception {
    MovableClock clock = new MovableClock("2026-11-20T12:00:00Z");
    try (SanctionsFixture service =
        SanctionsFixture.start(directory, SanctionsFixture.NO_KAFKA, Map.of(), clock)) {
      CheckpointDue due = service.bean(CheckpointDue.class);
      due.run();
      service.publishCheckpoint();
      clock.set("2026-11-20T13:00:00Z");
      service.list(APK);
      clock.set("2026-11-20T13:00:30Z");
      due.run();
      assertThat(newest(service).path("size").asInt()).isZero();
      assertThat(service.gauge("solidus.sanctions.listing.unpublished")).isEqualTo(30);

      clock.set("2026-11-20T13:01:00Z");
      due.run();
      assertThat(newest(service).path("size").asInt()).isEqualTo(1);
      assertThat(service.gauge("solidus.sanctions.listing.unpublished")).isZero();
      long version = newest(service).path("version").asLong();
      clock.set("2026-11-20T13:05:00Z");
      due.run();
      assertThat(newest(service).path("version").asLong()).isEqualTo(version);
      assertThat(service.gauge("solidus.sanctions.listing.unpublished")).isZero();
    }
  }

  @Test
  void theApproverSeesWhatWasTypedAndWhoseItIs(@TempDir Path directory) throws Exception {
    try (SanctionsFixture service = SanctionsFixture.start(directory, SanctionsFixture.NO_KAFKA)) {
      String subject = "holder of account 17, by case 4711";
      Answer proposed =
          service.rest.post(
              "/admin/v1/sanctions/addresses",
              Map.of("apk", APK, "subject", subject, "reason", "court order"),
              service.sanctionsOperator());
      String id = proposed.json().path("id").asString();
      JsonNode seen =
          service.rest.get("/admin/v1/approvals/" + id, service.approver()).json().path("payload");
      assertThat(seen.path("address").asString()).isEqualTo(APK);
      assertThat(seen.path("subject").asString()).isEqualTo(subject);
      assertThat(seen.path("reason").asString()).isEqualTo("court order");
      service.approve(id, service.approver());
      JsonNode listed =
          service
              .rest
              .get("/admin/v1/sanctions/addresses", service.approver())
              .json()
              .path("addresses")
              .path(0);
      assertThat(listed.path("address").asString()).isEqualTo(APK);
      assertThat(listed.path("subject").asString()).isEqualTo(subject);

      JsonNode delisting =
          service
              .rest
              .send(
                  "DELETE",
                  "/admin/v1/sanctions/addresses/" + APK + "?reason=lifted",
                  (Object) null,
                  service.sanctionsOperator())
              .json()
              .path("payload");
      assertThat(delisting.path("address").asString()).isEqualTo(APK);
      assertThat(delisting.path("subject").asString()).isEqualTo(subject);
      for (String bad : new String[] {" ", "x".repeat(501)}) {
        assertThat(
                service
                    .rest
                    .post(
                        "/admin/v1/sanctions/addresses",
                        Map.of("apk", APK, "subject", bad, "reason", "r"),
                        service.sanctionsOperator())
                    .code())
            .isEqualTo("malformed-request");
      }
    }
  }

  private static JsonNode newest(SanctionsFixture service) {
    return service
        .rest
        .get("/admin/v1/sanctions/checkpoints", service.sanctionsOperator())
        .json()
        .path("checkpoints")
        .path(0);
  }
}
