package io.solidus.operator.sanctions;

import static io.solidus.operator.sanctions.SanctionsFixture.NETWORK;
import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.RestProbe.Answer;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SignedNote;
import java.nio.file.Path;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two persons change the limits, in consecutive versions. The tests run in order and share their
 * state.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("process")
class PoliciesTest {
  private static SanctionsFixture service;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    service =
        SanctionsFixture.start(
            directory,
            SanctionsFixture.NO_KAFKA,
            Map.of(),
            new MovableClock("2026-11-20T12:00:00Z"));
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  /** The month of the computer's clock as yyyymm. */
  static int thisMonth() {
    YearMonth now = YearMonth.now(ZoneOffset.UTC);
    return now.getYear() * 100 + now.getMonthValue();
  }

  static Map<String, Object> limits(int period, long effectiveInSeconds) {
    Map<String, Object> limits = new HashMap<>();
    limits.put("period", period);
    limits.put("maxPerTransferMinor", 50_000);
    limits.put("maxPerPeriodMinor", 300_000);
    limits.put("maxHeldMinor", 500_000);
    limits.put("maxTransfersPerPeriod", 100);
    limits.put("mintCapPerDayMinor", 1_000_000);
    limits.put("effectiveInSeconds", effectiveInSeconds);
    return limits;
  }

  private static Answer propose(Map<String, Object> limits) {
    return service.rest.post("/admin/v1/policies", limits, service.policyOperator());
  }

  private static Policy read(String path) {
    Answer answer = service.rest.get(path);
    assertThat(answer.contentType()).startsWith("text/plain");
    return Policy.parse(
        NETWORK,
        SignedNote.parse(answer.body()).requireSignedBy(SanctionsFixture.policyKey()).text());
  }

  @Test
  @Order(1)
  void answersNotFoundBeforeTheFirstPolicy() {
    assertThat(service.rest.get("/v1/policy").status()).isEqualTo(404);
    assertThat(service.rest.get("/v1/policies/1").code()).isEqualTo("not-found");
  }

  @Test
  @Order(2)
  void aPolicyIsInForceAfterTheApprovalOfASecondPerson() {
    Answer proposal = propose(limits(202611, 0));
    assertThat(proposal.status()).isEqualTo(202);
    String id = proposal.json().path("id").asString();
    assertThat(service.rest.get("/v1/policy").status()).isEqualTo(404);
    assertThat(service.approve(id, service.as("paul", "policy-operator", "approver")).status())
        .isEqualTo(403);
    assertThat(service.approve(id, service.sanctionsOperator()).status()).isEqualTo(403);

    Answer approved = service.approve(id, service.approver());
    assertThat(approved.json().path("outcome").path("version").asLong()).isEqualTo(1);
    Policy policy = read("/v1/policy");
    assertThat(policy.version()).isEqualTo(1);
    assertThat(policy.period().yyyymm()).isEqualTo(202611);
    assertThat(policy.maxPerTransfer().minor()).isEqualTo(50_000);
    assertThat(policy.maxPerPeriod().minor()).isEqualTo(300_000);
    assertThat(policy.maxHeld().minor()).isEqualTo(500_000);
    assertThat(policy.maxEscrow()).as("missing in the proposal").isEqualTo(Amount.ZERO);
    assertThat(policy.maxTransfersPerPeriod()).isEqualTo(100);
    assertThat(policy.mintCapPerDay().minor()).isEqualTo(1_000_000);
    assertThat(policy.effectiveAtMillis())
        .isEqualTo(Instant.parse("2026-11-20T12:00:00Z").toEpochMilli());
    assertThat(read("/v1/policies/1")).isEqualTo(policy);
  }

  @Test
  @Order(3)
  void aPolicyWithADelayIsPublishedBeforeItIsInForce() {
    Map<String, Object> limits = limits(202612, 3600);
    limits.put("maxEscrowMinor", 7_000);
    service.approve(propose(limits).json().path("id").asString(), service.approver());
    assertThat(read("/v1/policy").version()).isEqualTo(1);
    assertThat(read("/v1/policies/2").version()).isEqualTo(2);
    assertThat(read("/v1/policies/2").maxEscrow().minor()).isEqualTo(7_000);
    assertThat(read("/v1/policies/newest").version()).isEqualTo(2);
  }

  @Test
  @Order(4)
  void aPeriodIsNeverBeforeThatOfAPolicyInForceEarlier() {
    assertThat(propose(limits(202611, 7200)).code()).isEqualTo("malformed-request");
    assertThat(propose(limits(202611, 1800)).status()).isEqualTo(202);
  }

  @Test
  @Order(5)
  void aProposalIsCheckedAgainAtItsApproval() {
    String first = propose(limits(202611, 1800)).json().path("id").asString();
    String second = propose(limits(202612, 1700)).json().path("id").asString();
    assertThat(service.approve(second, service.approver()).status()).isEqualTo(200);
    Answer conflicting = service.approve(first, service.approver());
    assertThat(conflicting.status()).isEqualTo(400);
    Answer unchanged = service.rest.get("/admin/v1/approvals/" + first, service.approver());
    assertThat(unchanged.json().path("state").asString()).isEqualTo("pending");
  }

  @Test
  @Order(6)
  void refusesLimitsOutOfRange() {
    Map<String, Object> negative = limits(202612, 9000);
    negative.put("maxHeldMinor", -1);
    Map<String, Object> negativeEscrow = limits(202612, 9000);
    negativeEscrow.put("maxEscrowMinor", -1);
    Map<String, Object> missing = limits(202612, 9000);
    missing.remove("maxPerPeriodMinor");
    Map<String, Object> fraction = limits(202612, 9000);
    fraction.put("maxPerPeriodMinor", 1.5);
    for (Map<String, Object> bad :
        List.of(
            negative,
            negativeEscrow,
            missing,
            fraction,
            limits(202613, 9000),
            limits(202612, -1))) {
      Answer answer = propose(bad);
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.code()).isEqualTo("malformed-request");
    }
  }

  @Test
  @Order(7)
  void anExpiredProposalCannotBeApproved() {
    String id = propose(limits(202612, 9000)).json().path("id").asString();
    for (String statement :
        List.of(
            "ALTER TABLE proposal DISABLE TRIGGER proposal_is_final",
            "UPDATE proposal SET expires_at = proposed_at - interval '1 second' WHERE id = '"
                + id
                + "'",
            "ALTER TABLE proposal ENABLE TRIGGER proposal_is_final")) {
      service.database.jdbc().sql(statement).update();
    }
    assertThat(service.approve(id, service.approver()).status()).isEqualTo(409);
  }

  @Test
  @Order(8)
  void policiesSurviveARestart() {
    service.restart();
    assertThat(read("/v1/policies/newest").version()).isEqualTo(3);
    assertThat(
            service
                .rest
                .get("/admin/v1/policies", service.as("aud", "auditor"))
                .json()
                .path("policies")
                .size())
        .isEqualTo(3);
  }

  @Test
  @Order(9)
  void onlyPolicyOperatorsPropose() {
    assertThat(
            service
                .rest
                .post("/admin/v1/policies", limits(202612, 9000), service.sanctionsOperator())
                .status())
        .isEqualTo(403);
    assertThat(service.rest.post("/admin/v1/policies", limits(202612, 9000)).status())
        .isEqualTo(401);
  }
}
