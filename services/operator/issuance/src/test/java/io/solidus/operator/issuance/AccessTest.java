package io.solidus.operator.issuance;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.AdminRoutes;
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

  private static final AdminRoutes ROUTES =
      new AdminRoutes()
          .plain("POST /admin/v1/fundings", OPERATOR)
          .with("GET /admin/v1/fundings/{fundingId}", "/admin/v1/fundings/x", null, OPERATOR)
          .with(
              "POST /admin/v1/fundings/{fundingId}/access-token",
              "/admin/v1/fundings/x/access-token",
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
          .plain("GET /admin/v1/audit/events")
          .plain("GET /admin/v1/redemptions", OPERATOR);

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
}
