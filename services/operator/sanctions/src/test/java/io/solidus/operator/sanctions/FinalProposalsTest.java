package io.solidus.operator.sanctions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.dev.testkit.RestProbe.Answer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the operators' audit did by SQL between a proposal and its approval, and afterwards. The
 * statements run as the user of the service.
 */
@Tag("process")
class FinalProposalsTest {
  private static SanctionsFixture service;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    service = SanctionsFixture.start(directory, SanctionsFixture.NO_KAFKA);
    service.list("0a".repeat(32));
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static Answer propose(String apk) {
    return service.rest.post(
        "/admin/v1/sanctions/addresses",
        Map.of("apk", apk, "reason", "court order"),
        service.sanctionsOperator());
  }

  private static void refused(String statement, Object... parameters) {
    assertThatThrownBy(
            () -> service.database.jdbc().sql(statement).params(List.of(parameters)).update())
        .as(statement)
        .hasMessageContaining("ERROR");
  }

  @Test
  void whatWasProposedIsWhatIsApproved() {
    Answer proposed = propose("0b".repeat(32));
    String id = proposed.json().path("id").asString();
    for (String change :
        List.of(
            "payload = regexp_replace(payload, '\"key\":\"..', '\"key\":\"ff')",
            "kind = 'address-delisting'",
            "proposed_by = 'somebody'",
            "expires_at = expires_at + interval '1 year'",
            "proposed_at = now()",
            "idempotency_key = 'other-key'",
            "id = gen_random_uuid()")) {
      refused("UPDATE proposal SET " + change + " WHERE id = ?::uuid", id);
    }
    Answer approved = service.approve(id, service.approver());
    assertThat(approved.json().path("outcome").path("key").asString())
        .isEqualTo(proposed.json().path("payload").path("key").asString());
    for (String change :
        List.of("state = 'refused', decided_by = 'nobody'", "outcome = '{}'", "decided_by = 'x'")) {
      refused("UPDATE proposal SET " + change + " WHERE id = ?::uuid", id);
    }
    refused("DELETE FROM proposal WHERE id = ?::uuid", id);
  }

  @Test
  void anExpiredProposalIsNotApprovedBySqlEither() {
    String id = propose("0c".repeat(32)).json().path("id").asString();
    refused(
        "UPDATE proposal SET state = 'approved', decided_by = 'eve', decided_at = expires_at,"
            + " outcome = '{}' WHERE id = ?::uuid",
        id);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TRUNCATE proposal CASCADE",
        "DELETE FROM sanctioned_address",
        "UPDATE sanctioned_address SET reason = 'none'",
        "UPDATE sanctioned_address SET key = decode(repeat('00', 20), 'hex')",
        "TRUNCATE sanctioned_address",
        "INSERT INTO sanctioned_address SELECT decode(repeat('01', 20), 'hex'), reason, proposal,"
            + " listed_at FROM sanctioned_address",
        "INSERT INTO proposal (id, kind, payload, proposed_by, proposed_at, expires_at, state,"
            + " decided_by, decided_at) VALUES (gen_random_uuid(), 'policy', '{}', 'eve', now(),"
            + " now() + interval '1 day', 'approved', 'mallory', now())",
        "TRUNCATE checkpoint",
        "TRUNCATE policy"
      })
  void addressesComeAndGoByApprovedProposalsOnly(String statement) {
    refused(statement);
  }

  @Test
  void anAddressThatWasListedAgainNeedsAnotherDelisting() {
    String apk = "0d".repeat(32);
    service.list(apk);
    delist(apk);
    service.list(apk);
    refused(
        "DELETE FROM sanctioned_address WHERE listed_at = (SELECT max(listed_at) FROM sanctioned_address)");
    delist(apk);
  }

  private static void delist(String apk) {
    Answer proposal =
        service.rest.send(
            "DELETE",
            "/admin/v1/sanctions/addresses/" + apk + "?reason=lifted",
            (Object) null,
            service.sanctionsOperator());
    Answer approved = service.approve(proposal.json().path("id").asString(), service.approver());
    assertThat(approved.json().path("outcome").path("changed").asBoolean()).isTrue();
  }
}
