package io.solidus.operator.sanctions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.dev.testkit.RestProbe.Answer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Whoever has lost her address for good must not get it back when she has another one. */
@Tag("process")
class ReplacedAddressTest {
  private static final String LOST = "0a".repeat(32);

  private final MovableClock clock = new MovableClock("2026-11-20T12:00:00Z");
  private SanctionsFixture service;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    service = SanctionsFixture.start(directory, SanctionsFixture.NO_KAFKA, Map.of(), clock);
  }

  @AfterEach
  void stop() {
    service.close();
  }

  @Test
  void theNextAddressWaitsUntilNoPaymentCountsInItsPeriod() {
    policy(202611);
    assertThat(asked()).isEqualTo("false false false");
    String id = replace(LOST);
    assertThat(asked()).as("one person alone").isEqualTo("false false false");
    approve(id);
    assertThat(asked()).isEqualTo("true false false");
    clock.set("2026-11-30T23:30:00Z");
    service.publishCheckpoint();
    assertThat(asked()).isEqualTo("true true false");

    clock.set("2026-12-01T00:00:00Z");
    policy(202612);
    for (String late : List.of("2026-12-01T12:00:00Z", "2026-12-02T02:00:00Z")) {
      clock.set(late);
      assertThat(asked())
          .as("%s: a validator may have taken a payment in December by the list before", late)
          .isEqualTo("true true false");
    }
    clock.set("2027-01-01T00:00:00Z");
    policy(202701);
    clock.set("2027-01-02T00:30:00Z");
    assertThat(asked()).as("payments of December count still").isEqualTo("true true false");
    clock.set("2027-01-02T01:30:00Z");
    assertThat(asked()).isEqualTo("true true true");
  }

  @Test
  void anAddressThatWasListedBeforeNeedsNoNewCheckpoint() {
    policy(202611);
    service.list(LOST);
    service.publishCheckpoint();
    assertThat(asked()).isEqualTo("false false false");
    Answer approved = approve(replace(LOST));
    assertThat(approved.json().path("outcome").path("changed").asBoolean()).isTrue();
    assertThat(asked()).isEqualTo("true true false");
    clock.set("2026-12-01T00:00:00Z");
    policy(202612);
    clock.set("2026-12-02T01:30:00Z");
    assertThat(asked()).isEqualTo("true true true");
  }

  @Test
  void aReplacedAddressIsNeverTakenOffTheList() {
    service.list(LOST);
    Answer before = delist();
    assertThat(before.status()).isEqualTo(202);
    approve(replace(LOST));
    assertThat(delist().status()).isEqualTo(409);
    assertThat(delist().code()).isEqualTo("replaced-address");
    Answer late = service.approve(before.json().path("id").asString(), service.approver());
    assertThat(late.status()).as("a delisting from before").isEqualTo(409);
    assertThat(late.code()).isEqualTo("replaced-address");

    service.list("0b".repeat(32));
    for (String sql :
        List.of(
            "DELETE FROM sanctioned_address",
            "DELETE FROM replaced_address",
            "UPDATE replaced_address SET replaced_at = now()",
            "UPDATE sanctioned_address SET key = decode(repeat('01', 20), 'hex')",
            "TRUNCATE replaced_address",
            "TRUNCATE sanctioned_address CASCADE",
            "INSERT INTO replaced_address SELECT s.key, s.proposal, now() FROM sanctioned_address s"
                + " WHERE NOT EXISTS (SELECT FROM replaced_address r WHERE r.key = s.key)")) {
      assertThatThrownBy(() -> service.database.jdbc().sql(sql).update())
          .as(sql)
          .hasMessageContaining("ERROR");
    }
    JsonNode page =
        service
            .rest
            .get("/admin/v1/sanctions/addresses", service.sanctionsOperator())
            .json()
            .path("addresses");
    assertThat(page.findValuesAsString("replaced")).containsExactlyInAnyOrder("true", "false");
  }

  @Test
  void noOtherCauseAndNoAddressOfNobody() {
    Map<String, Object> listing = listing(LOST);
    listing.put("cause", "lost");
    assertThat(propose(listing).status()).isEqualTo(400);
    for (Object apk : List.of("", "xyz", 1)) {
      assertThat(
              service
                  .rest
                  .post(
                      "/admin/v1/sanctions/addresses/replaced",
                      Map.of("apk", apk),
                      service.as("registration", "service"))
                  .status())
          .isEqualTo(400);
    }
  }

  private void policy(int period) {
    Answer proposal =
        service.rest.post(
            "/admin/v1/policies", PoliciesTest.limits(period, 0), service.policyOperator());
    approve(proposal.json().path("id").asString());
  }

  /** Replaced, published, later period. */
  private String asked() {
    Answer answer =
        service.rest.post(
            "/admin/v1/sanctions/addresses/replaced",
            Map.of("apk", LOST),
            service.as("registration", "service"));
    assertThat(answer.status()).isEqualTo(200);
    JsonNode body = answer.json();
    return body.path("replaced").asBoolean()
        + " "
        + body.path("published").asBoolean()
        + " "
        + body.path("laterPeriod").asBoolean();
  }

  private static Map<String, Object> listing(String apk) {
    return new HashMap<>(
        Map.of("apk", apk, "reason", "she lost her phrase, case 17", "cause", "replaced"));
  }

  private Answer propose(Map<String, Object> listing) {
    return service.rest.post("/admin/v1/sanctions/addresses", listing, service.sanctionsOperator());
  }

  private String replace(String apk) {
    Answer proposal = propose(listing(apk));
    assertThat(proposal.status()).isEqualTo(202);
    assertThat(proposal.json().path("payload").path("cause").asString()).isEqualTo("replaced");
    return proposal.json().path("id").asString();
  }

  private Answer approve(String id) {
    Answer approved = service.approve(id, service.approver());
    assertThat(approved.status()).as(approved.body()).isEqualTo(200);
    return approved;
  }

  private Answer delist() {
    return service.rest.send(
        "DELETE",
        "/admin/v1/sanctions/addresses/" + LOST + "?reason=found",
        (Object) null,
        service.sanctionsOperator());
  }
}
