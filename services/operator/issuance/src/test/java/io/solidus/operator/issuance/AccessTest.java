package io.solidus.operator.issuance;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.AdminRoutes;
import io.solidus.dev.testkit.ApiDocument;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The roles of every admin route of the published OpenAPI document. */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccessTest {
  private static final String OPERATOR = "issuance-operator";
  private static final String APPROVER = "money-approver";
  private static final String ID = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

  static final AdminRoutes ROUTES =
      new AdminRoutes()
          .plain("POST /admin/v1/fundings", OPERATOR)
          .plain("GET /admin/v1/fundings", OPERATOR, APPROVER)
          .with(
              "GET /admin/v1/fundings/{fundingId}",
              "/admin/v1/fundings/none",
              null,
              OPERATOR,
              APPROVER)
          .with(
              "POST /admin/v1/fundings/{fundingId}/reversals",
              "/admin/v1/fundings/none/reversals",
              "{}",
              OPERATOR)
          .plain("GET /admin/v1/funding-reversals", OPERATOR, APPROVER)
          .with(
              "POST /admin/v1/funding-reversals/{reversalId}/approval",
              "/admin/v1/funding-reversals/0/approval",
              "{}",
              APPROVER)
          .with(
              "POST /admin/v1/funding-reversals/{reversalId}/refusal",
              "/admin/v1/funding-reversals/0/refusal",
              "{\"reason\":\"x\"}",
              OPERATOR,
              APPROVER)
          .with(
              "POST /admin/v1/fundings/{fundingId}/access-token",
              "/admin/v1/fundings/none/access-token",
              null,
              OPERATOR)
          .plain("GET /admin/v1/mints", OPERATOR, APPROVER)
          .with("GET /admin/v1/mints/{mintId}", "/admin/v1/mints/" + ID, null, OPERATOR, APPROVER)
          .with(
              "POST /admin/v1/mints/{mintId}/approvals",
              "/admin/v1/mints/" + ID + "/approvals",
              "{\"approver\":\"x\",\"signature\":\"AA\"}",
              APPROVER)
          .with(
              "POST /admin/v1/mints/{mintId}/refusal",
              "/admin/v1/mints/" + ID + "/refusal",
              "{\"reason\":\"x\"}",
              OPERATOR,
              APPROVER)
          .plain("GET /admin/v1/supply", OPERATOR, APPROVER)
          .plain("GET /admin/v1/issuance/queues", OPERATOR, APPROVER)
          .with(
              "GET /admin/v1/books/days/{day}",
              "/admin/v1/books/days/2026-01-01",
              null,
              OPERATOR,
              APPROVER)
          .with(
              "GET /admin/v1/authority-totals/{day}",
              "/admin/v1/authority-totals/2026-01-01",
              null,
              OPERATOR,
              APPROVER)
          .plain("GET /admin/v1/books/entries", OPERATOR, APPROVER)
          .plain("GET /admin/v1/redemptions", OPERATOR, APPROVER)
          .with(
              "POST /admin/v1/redemptions/{leadSerial}/outcome",
              "/admin/v1/redemptions/" + ID + "/outcome",
              "{}",
              OPERATOR)
          .with(
              "POST /admin/v1/redemptions/{leadSerial}/payee",
              "/admin/v1/redemptions/" + ID + "/payee",
              "{}",
              OPERATOR)
          .plain("GET /admin/v1/payee-corrections", OPERATOR, APPROVER)
          .with(
              "POST /admin/v1/payee-corrections/{correctionId}/approval",
              "/admin/v1/payee-corrections/0/approval",
              "{}",
              APPROVER)
          .with(
              "POST /admin/v1/payee-corrections/{correctionId}/refusal",
              "/admin/v1/payee-corrections/0/refusal",
              "{\"reason\":\"x\"}",
              OPERATOR,
              APPROVER)
          .plain("POST /admin/v1/payout-batches", OPERATOR)
          .plain("GET /admin/v1/payout-batches", OPERATOR, APPROVER)
          .with(
              "GET /admin/v1/payout-batches/{batchId}",
              "/admin/v1/payout-batches/NONE",
              null,
              OPERATOR,
              APPROVER)
          .with(
              "GET /admin/v1/payout-batches/{batchId}/message",
              "/admin/v1/payout-batches/NONE/message",
              null,
              OPERATOR)
          .plain("POST /admin/v1/bank/messages", OPERATOR)
          .plain("GET /admin/v1/bank/messages", OPERATOR, APPROVER)
          .with(
              "GET /admin/v1/bank/messages/{uploadId}",
              "/admin/v1/bank/messages/0",
              null,
              OPERATOR,
              APPROVER)
          .with(
              "POST /admin/v1/bank/messages/{uploadId}/approval",
              "/admin/v1/bank/messages/0/approval",
              "{}",
              APPROVER)
          .with(
              "POST /admin/v1/bank/messages/{uploadId}/refusal",
              "/admin/v1/bank/messages/0/refusal",
              "{}",
              OPERATOR,
              APPROVER)
          .with(
              "POST /admin/v1/bank/messages/{uploadId}/reversals",
              "/admin/v1/bank/messages/0/reversals",
              "{}",
              OPERATOR)
          .plain("GET /admin/v1/bank/message-reversals", OPERATOR, APPROVER)
          .with(
              "POST /admin/v1/bank/message-reversals/{messageReversalId}/approval",
              "/admin/v1/bank/message-reversals/0/approval",
              "{}",
              APPROVER)
          .with(
              "POST /admin/v1/bank/message-reversals/{messageReversalId}/refusal",
              "/admin/v1/bank/message-reversals/0/refusal",
              "{}",
              OPERATOR,
              APPROVER)
          .plain("GET /admin/v1/bank/statements", OPERATOR, APPROVER)
          .with(
              "GET /admin/v1/bank/statements/{day}",
              "/admin/v1/bank/statements/2026-01-01",
              null,
              OPERATOR,
              APPROVER)
          .with(
              "GET /admin/v1/bank/statements/{day}/lines",
              "/admin/v1/bank/statements/2026-01-01/lines",
              null,
              OPERATOR,
              APPROVER)
          .plain("GET /admin/v1/bank/open-lines", OPERATOR, APPROVER)
          .plain("POST /admin/v1/bank/assignments", OPERATOR)
          .plain("GET /admin/v1/bank/assignments", OPERATOR, APPROVER)
          .with(
              "POST /admin/v1/bank/assignments/{assignmentId}/approval",
              "/admin/v1/bank/assignments/0/approval",
              "{}",
              APPROVER)
          .with(
              "POST /admin/v1/bank/assignments/{assignmentId}/refusal",
              "/admin/v1/bank/assignments/0/refusal",
              "{}",
              OPERATOR,
              APPROVER)
          .plain("GET /admin/v1/bank/differences", OPERATOR, APPROVER)
          .with(
              "POST /admin/v1/bank/differences/{differenceId}/closing",
              "/admin/v1/bank/differences/0/closing",
              "{}",
              APPROVER)
          .with(
              "POST /admin/v1/payout-batches/{batchId}/release",
              "/admin/v1/payout-batches/NONE/release",
              "{}",
              APPROVER)
          .with(
              "POST /admin/v1/payout-batches/{batchId}/withdrawal",
              "/admin/v1/payout-batches/NONE/withdrawal",
              "{}",
              OPERATOR,
              APPROVER)
          .plain("GET /admin/v1/screenings", OPERATOR, APPROVER)
          .with(
              "POST /admin/v1/screenings/{screeningId}/disposition",
              "/admin/v1/screenings/0/disposition",
              "{}",
              OPERATOR)
          .with(
              "POST /admin/v1/screenings/{screeningId}/disposition/approval",
              "/admin/v1/screenings/0/disposition/approval",
              "{}",
              APPROVER)
          .with(
              "POST /admin/v1/screenings/{screeningId}/disposition/refusal",
              "/admin/v1/screenings/0/disposition/refusal",
              "{}",
              OPERATOR,
              APPROVER)
          .plain("GET /admin/v1/issuance/events")
          .plain("GET /admin/v1/issuance/events/download")
          .plain("GET /admin/v1/issuance/events/sealed")
          .plain("GET /admin/v1/issuance/events/notes");

  private final WalletAndCommittee parties = WalletAndCommittee.SHARED;
  private IssuanceFixture desk;

  @BeforeAll
  void start(@TempDir Path dir) throws Exception {
    desk = new IssuanceFixture(parties, dir, false);
  }

  @AfterAll
  void stop() {
    desk.close();
  }

  @Test
  void theOpenApiDocumentHasTheWalletsRoutes() {
    assertThat(
            desk.rest
                .get("/v3/api-docs")
                .json()
                .path("paths")
                .propertyStream()
                .map(Map.Entry::getKey))
        .contains(
            "/v1/mints",
            "/v1/mints/{mintId}",
            "/v1/redemptions",
            "/v1/redemptions/{leadSerial}",
            "/v1/redemption-key");
  }

  @Test
  void everyAdminRouteNeedsItsRole() {
    ROUTES.attack(desk.rest, desk.tokens);
  }

  @Test
  void theCommittedDescriptionIsTheServedOne() {
    ApiDocument.isCommitted(
        desk.rest, "issuance", "io.solidus.operator.issuance", "io.solidus.platform.audit");
  }
}
