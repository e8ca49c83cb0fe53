package io.solidus.operator.sanctions;

import static io.solidus.operator.sanctions.SanctionsFixture.NETWORK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.solidus.dev.testkit.RestProbe.Answer;
import io.solidus.operator.sanctions.policy.MonthTurn;
import io.solidus.protocol.Policy;
import io.solidus.protocol.SignedNote;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A wrong year cannot come into force, what is not yet in force can be corrected, the next month
 * proposes itself, and nothing but a confirmed halt stops the network.
 */
@Tag("process")
class PolicyPeriodsTest {
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

  private Answer propose(Map<String, Object> limits) {
    return service.rest.post("/admin/v1/policies", limits, service.policyOperator());
  }

  private Answer publish(Map<String, Object> limits) {
    Answer proposal = propose(limits);
    assertThat(proposal.status()).isEqualTo(202);
    return approve(proposal);
  }

  private Answer approve(Answer proposal) {
    return service.approve(proposal.json().path("id").asString(), service.approver());
  }

  private static Map<String, Object> limits(int period, long effectiveInSeconds, long perTransfer) {
    Map<String, Object> limits = PoliciesTest.limits(period, effectiveInSeconds);
    limits.put("maxPerTransferMinor", perTransfer);
    return limits;
  }

  private Policy inForce() {
    return Policy.parse(NETWORK, SignedNote.parse(service.rest.get("/v1/policy").body()).text());
  }

  private List<JsonNode> waiting() {
    List<JsonNode> waiting = new ArrayList<>();
    service
        .rest
        .get("/admin/v1/approvals?state=pending", service.approver())
        .json()
        .path("proposals")
        .forEach(waiting::add);
    return waiting;
  }

  private void turn() {
    service.bean(MonthTurn.class).run();
  }

  private double coveredDays() {
    return service.gauge("solidus.sanctions.policy.covered") / 86_400;
  }

  @Test
  void limitsOfOneAreAHaltUnderAnotherName() {
    assertThat(publish(limits(202611, 0, 50_000)).status()).isEqualTo(200);
    for (String limit :
        List.of(
            "maxPerTransferMinor",
            "maxPerPeriodMinor",
            "maxHeldMinor",
            "maxTransfersPerPeriod",
            "mintCapPerDayMinor")) {
      Map<String, Object> one = limits(202611, 0, 50_000);
      one.put(limit, 1);
      Answer refused = propose(one);
      assertThat(refused.status()).as(limit).isEqualTo(400);
      assertThat(refused.code()).as(limit).isEqualTo("policy-needs-reason");
      assertThat(refused.body()).contains(limit + " from ");
    }
    Map<String, Object> one = limits(202611, 0, 1);
    one.put("reason", "an attack on wallets of one maker");
    Answer proposed = propose(one);
    assertThat(proposed.status()).isEqualTo(202);
    Answer unconfirmed = approve(proposed);
    assertThat(unconfirmed.status()).isEqualTo(400);
    assertThat(unconfirmed.code()).isEqualTo("confirmation-needed");
    assertThat(unconfirmed.body()).contains("maxPerTransferMinor from 50000 to 1");
    assertThat(inForce().maxPerTransfer().minor()).isEqualTo(50_000);
    Answer confirmed =
        service.rest.post(
            "/admin/v1/approvals/" + proposed.json().path("id").asString(),
            Map.of("confirmation", "seen"),
            service.approver());
    assertThat(confirmed.status()).isEqualTo(200);
    assertThat(inForce().maxPerTransfer().minor()).isEqualTo(1);
    // a tenth needs neither, and back up needs neither
    assertThat(publish(limits(202611, 0, 50_000)).status()).isEqualTo(200);
    assertThat(publish(limits(202611, 0, 5_000)).status()).isEqualTo(200);
  }

  @Test
  void aWrongYearIsRefusedWhenItIsProposedAndWhenItIsApproved() {
    for (int period : new int[] {212612, 202512, 202701, 202609}) {
      Answer answer = propose(limits(period, 0, 1));
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.code()).isEqualTo("period-out-of-range");
    }
    clock.set("2026-12-30T12:00:00Z");
    Answer january = propose(limits(202701, 0, 1));
    clock.set("2026-11-29T12:00:00Z");
    assertThat(approve(january).code()).isEqualTo("period-out-of-range");
    assertThat(publish(limits(202611, 0, 1)).status()).isEqualTo(200);
  }

  @Test
  void aPolicyThatIsNotInForceYetIsCorrected() {
    publish(limits(202611, 0, 50_000));
    publish(limits(202612, 86_400, 5_000));
    // the month was right and the limit wrong
    Answer corrected = publish(limits(202612, 80_000, 60_000));
    assertThat(corrected.json().path("outcome").path("version").asLong()).isEqualTo(3);
    assertThat(inForce().version()).isEqualTo(1);
    clock.set("2026-11-22T12:00:00Z");
    assertThat(inForce().version()).isEqualTo(3);
    assertThat(inForce().maxPerTransfer().minor()).isEqualTo(60_000);
  }

  @Test
  void thisMonthChangesWhileTheNextIsApproved() {
    publish(limits(202611, 0, 50_000));
    publish(limits(202612, 864_000, 50_000));
    assertThat(publish(limits(202611, 0, 10_000)).status()).isEqualTo(200);
    assertThat(inForce().version()).isEqualTo(3);
    // the month that was approved before does not come into force any more
    clock.set("2026-12-01T12:00:00Z");
    assertThat(inForce().version()).isEqualTo(3);
    turn();
    assertThat(coveredDays()).isZero();
    // an earlier month never follows a later one
    publish(limits(202612, 0, 20_000));
    assertThat(propose(limits(202611, 0, 20_000)).code()).isEqualTo("malformed-request");
  }

  @Test
  void theNextMonthProposesItself() {
    publish(limits(202611, 0, 50_000));
    turn();
    assertThat(waiting()).isEmpty();
    assertThat(coveredDays()).isEqualTo(10.5);

    clock.set("2026-11-25T00:00:00Z");
    turn();
    turn();
    assertThat(waiting()).hasSize(1);
    JsonNode proposal = waiting().getFirst();
    assertThat(proposal.path("proposedBy").asString()).isEqualTo("system:month");
    assertThat(proposal.path("payload").path("period").asInt()).isEqualTo(202612);
    assertThat(proposal.path("payload").path("maxPerTransferMinor").asLong()).isEqualTo(50_000);
    assertThat(coveredDays()).isEqualTo(6);

    // it follows this month's limits
    publish(limits(202611, 0, 40_000));
    turn();
    assertThat(waiting()).hasSize(1);
    JsonNode second = waiting().getFirst();
    assertThat(second.path("payload").path("maxPerTransferMinor").asLong()).isEqualTo(40_000);

    String id = second.path("id").asString();
    assertThat(service.approve(id, service.as("system:month", "approver")).status()).isEqualTo(401);
    assertThat(service.approve(id, service.as("System: other", "approver")).status())
        .isEqualTo(401);
    assertThatThrownBy(() ->
            service
                .database
                .jdbc()
                .sql(
                    "UPDATE proposal SET state = 'approved', decided_by = 'system:other', decided_at"
                        + " = proposed_at WHERE id = ?::uuid")
                .param(id)
                .update())
        .hasMessageContaining("proposal_approved_by_a_person");
    assertThat(service.approve(id, service.approver()).status()).isEqualTo(200);
    turn();
    assertThat(waiting()).isEmpty();
    assertThat(coveredDays()).isEqualTo(37);
    assertThat(inForce().period().yyyymm()).isEqualTo(202611);
    clock.set("2026-12-01T00:00:00Z");
    assertThat(inForce().period().yyyymm()).isEqualTo(202612);
  }

  @Test
  void aMonthThatSomebodyRefusedIsNotProposedAgainAndOneThatExpiredIs() {
    publish(limits(202611, 0, 50_000));
    clock.set("2026-11-24T12:00:00Z");
    turn();
    clock.set("2026-12-01T13:00:00Z");
    turn();
    JsonNode late =
        waiting().stream()
            .filter(
                each -> Instant.parse(each.path("expiresAt").asString()).isAfter(clock.instant()))
            .findFirst()
            .orElseThrow();
    assertThat(coveredDays()).isZero();
    assertThat(
            service
                .rest
                .post(
                    "/admin/v1/approvals/" + late.path("id").asString() + "/refusal",
                    Map.of("reason", "other limits are to come"),
                    service.approver())
                .status())
        .isEqualTo(200);
    turn();
    assertThat(waiting())
        .noneMatch(
            each -> Instant.parse(each.path("expiresAt").asString()).isAfter(clock.instant()));
  }

  @Test
  void zerosAreNoPolicy() {
    for (String field :
        List.of(
            "maxPerTransferMinor",
            "maxPerPeriodMinor",
            "maxHeldMinor",
            "maxTransfersPerPeriod",
            "mintCapPerDayMinor")) {
      Map<String, Object> limits = limits(202611, 0, 1);
      limits.put(field, 0);
      assertThat(propose(limits).code()).as(field).isEqualTo("policy-would-halt");
    }
    Map<String, Object> endless = limits(202611, 0, 1);
    endless.put("mintCapPerDayMinor", Long.MAX_VALUE);
    assertThat(propose(endless).code()).isEqualTo("malformed-request");
  }

  @Test
  void aHaltIsConfirmedAndLifted() {
    assertThat(halt(Map.of("reason", "r")).status()).isEqualTo(404);
    publish(limits(202611, 0, 50_000));
    publish(limits(202612, 864_000, 60_000));
    Answer pending = propose(limits(202611, 0, 70_000));
    assertThat(halt(Map.of()).code()).isEqualTo("malformed-request");
    assertThat(halt(Map.of("reason", "r", "effectiveInSeconds", 3601)).code())
        .isEqualTo("malformed-request");
    assertThat(lifting().code()).isEqualTo("not-halted");

    Answer halt = halt(Map.of("reason", "keys leaked", "effectiveInSeconds", 60));
    assertThat(halt.json().path("kind").asString()).isEqualTo("policy-halt");
    assertThat(approve(halt).code()).isEqualTo("confirmation-needed");
    String decision = "/admin/v1/approvals/" + halt.json().path("id").asString();
    Map<String, String> confirmation = Map.of("confirmation", "the whole network stops");
    assertThat(
            service
                .rest
                .post(decision, confirmation, service.as("paul", "policy-operator", "approver"))
                .status())
        .isEqualTo(403);
    Answer approved = service.rest.post(decision, confirmation, service.approver());
    assertThat(approved.status()).isEqualTo(200);
    assertThat(approved.json().path("outcome").path("effectiveAtMillis").asLong())
        .isEqualTo(clock.millis() + 60_000);
    assertThat(approved.json().path("outcome").path("confirmation").asString())
        .isEqualTo("the whole network stops");
    clock.set("2026-11-20T12:01:00Z");
    Policy stopped = inForce();
    assertThat(stopped.maxPerTransfer().isZero()).isTrue();
    assertThat(stopped.maxTransfersPerPeriod()).isZero();
    assertThat(stopped.mintCapPerDay().isZero()).isTrue();
    assertThat(stopped.period().yyyymm()).isEqualTo(202611);

    // neither a policy, an earlier proposal nor the month before ends a halt
    assertThat(propose(limits(202611, 0, 1)).code()).isEqualTo("network-halted");
    assertThat(approve(pending).code()).isEqualTo("network-halted");
    assertThat(halt(Map.of("reason", "again")).code()).isEqualTo("network-halted");
    clock.set("2026-12-02T12:00:00Z");
    assertThat(inForce().version()).isEqualTo(stopped.version());
    turn();
    assertThat(waiting()).noneMatch(each -> each.path("proposedBy").asString().startsWith("sys"));

    Answer lifting = lifting();
    assertThat(lifting.status()).isEqualTo(202);
    assertThat(approve(lifting).status()).isEqualTo(200);
    Policy lifted = inForce();
    assertThat(lifted.period().yyyymm()).isEqualTo(202612);
    assertThat(lifted.maxPerTransfer().minor()).isEqualTo(60_000);
    assertThat(lifted.maxTransfersPerPeriod()).isEqualTo(100);
  }

  private Answer halt(Map<String, Object> halt) {
    return service.rest.post("/admin/v1/policies/halt", halt, service.policyOperator());
  }

  private Answer lifting() {
    return service.rest.post(
        "/admin/v1/policies/halt/lifting", Map.of("reason", "new keys"), service.policyOperator());
  }
}
