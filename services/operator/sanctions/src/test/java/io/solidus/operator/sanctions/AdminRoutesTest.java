package io.solidus.operator.sanctions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.solidus.dev.testkit.AdminRoutes;
import io.solidus.dev.testkit.ApiDocument;
import io.solidus.protocol.Apk;
import io.solidus.protocol.FieldElement;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.dao.DataAccessException;

/** Who may call what, for every admin route of the service's description. */
@Tag("process")
class AdminRoutesTest {
  private static final String LISTS = "sanctions-operator";
  private static final String POLICIES = "policy-operator";
  private static final String LIST_APPROVER = "list-approver";
  private static final String RULES_APPROVER = "rules-approver";
  private static SanctionsFixture service;

  @BeforeAll
  static void start(@TempDir Path directory) throws IOException {
    service = SanctionsFixture.start(directory, SanctionsFixture.NO_KAFKA);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @Test
  void everyAdminRouteNeedsItsRole() {
    String one = "/admin/v1/approvals/" + UUID.randomUUID();
    String lists = "/admin/v1/sanctions/lists/un/versions";
    new AdminRoutes()
        .plain("POST /admin/v1/sanctions/screenings", LISTS, "kyc-operator", "service")
        .plain("POST /admin/v1/sanctions/screenings/batch", LISTS, "kyc-operator", "service")
        .plain("GET /admin/v1/sanctions/basis", LISTS, "kyc-operator", "service")
        .plain("GET /admin/v1/policies", POLICIES, RULES_APPROVER)
        .plain("POST /admin/v1/policies", POLICIES)
        .plain("POST /admin/v1/policies/halt", POLICIES)
        .plain("POST /admin/v1/policies/halt/lifting", POLICIES)
        .plain("GET /admin/v1/sanctions/lists", LISTS)
        .with("GET /admin/v1/sanctions/lists/{list}/versions", lists, null, LISTS)
        .with(
            "POST /admin/v1/sanctions/lists/{list}/imports",
            "/admin/v1/sanctions/lists/un/imports",
            "x",
            LISTS)
        .with(
            "GET /admin/v1/sanctions/lists/{list}/imports/{id}/delta",
            "/admin/v1/sanctions/lists/un/imports/" + UUID.randomUUID() + "/delta",
            null,
            LISTS,
            LIST_APPROVER)
        .plain("GET /admin/v1/sanctions/imports/unscreened", "service")
        .with(
            "POST /admin/v1/sanctions/imports/{id}/screenings",
            "/admin/v1/sanctions/imports/" + UUID.randomUUID() + "/screenings",
            "{}",
            "service")
        .with(
            "PUT /admin/v1/sanctions/imports/{id}/customers",
            "/admin/v1/sanctions/imports/" + UUID.randomUUID() + "/customers",
            "{}",
            "service")
        .with(
            "GET /admin/v1/sanctions/imports/{id}/customers",
            "/admin/v1/sanctions/imports/" + UUID.randomUUID() + "/customers",
            null,
            LISTS,
            LIST_APPROVER)
        .plain("GET /admin/v1/sanctions/checkpoints", LISTS)
        .plain("POST /admin/v1/sanctions/checkpoints", LISTS)
        .plain("GET /admin/v1/sanctions/addresses", LISTS, LIST_APPROVER)
        .plain("POST /admin/v1/sanctions/addresses", LISTS)
        .plain("POST /admin/v1/sanctions/addresses/replaced", "service")
        .with(
            "DELETE /admin/v1/sanctions/addresses/{address}",
            "/admin/v1/sanctions/addresses/x?reason=y",
            null,
            LISTS)
        .plain("GET /admin/v1/approvals", LISTS, POLICIES, LIST_APPROVER, RULES_APPROVER)
        .plain("GET /admin/v1/approvals/queues", LISTS, POLICIES, LIST_APPROVER, RULES_APPROVER)
        .with(
            "GET /admin/v1/approvals/{id}",
            one,
            null,
            LISTS,
            POLICIES,
            LIST_APPROVER,
            RULES_APPROVER)
        .with(
            "POST /admin/v1/approvals/{id}",
            one,
            null,
            LISTS,
            POLICIES,
            LIST_APPROVER,
            RULES_APPROVER)
        .with(
            "POST /admin/v1/approvals/{id}/refusal",
            one + "/refusal",
            "{\"reason\":\"x\"}",
            LISTS,
            POLICIES,
            LIST_APPROVER,
            RULES_APPROVER)
        .plain("GET /admin/v1/sanctions/events")
        .plain("GET /admin/v1/sanctions/events/download")
        .plain("GET /admin/v1/sanctions/events/sealed")
        .plain("GET /admin/v1/sanctions/events/notes")
        .attack(service.rest, service.tokens);
  }

  @Test
  void oneSubjectInTwoSpellingsIsOnePerson() {
    String proposal =
        service
            .rest
            .post(
                "/admin/v1/sanctions/addresses",
                Map.of("apk", "0a".repeat(32), "reason", "x"),
                service.as("eve.smith", LISTS))
            .json()
            .path("id")
            .asString();
    for (String spelling : List.of("Eve.Smith", "eve. smith", "EVE.SMITH")) {
      assertThat(service.approve(proposal, service.as(spelling, LISTS)).status())
          .as(spelling)
          .isEqualTo(403);
      assertThatExceptionOfType(DataAccessException.class)
          .isThrownBy(() ->
              service
                  .database
                  .jdbc()
                  .sql(
                      "UPDATE proposal SET state = 'approved', decided_by = ?, decided_at = now(),"
                          + " outcome = '{}' WHERE id = ?::uuid")
                  .params(spelling, proposal)
                  .update())
          .withMessageContaining("proposal_of_two_persons");
    }
    assertThat(service.approve(proposal, service.as("eva.smith", LISTS)).status()).isEqualTo(200);
  }

  @Test
  void approversDecideInTheirDomain() {
    String apk = new Apk(FieldElement.of(FieldElement.MODULUS.divide(BigInteger.TWO))).hex();
    String proposal =
        service
            .rest
            .post(
                "/admin/v1/sanctions/addresses",
                Map.of("apk", apk, "reason", "court order"),
                service.as("olga", LISTS))
            .json()
            .path("id")
            .asString();
    assertThat(service.approve(proposal, service.as("rita", RULES_APPROVER)).status())
        .isEqualTo(403);
    assertThat(service.approve(proposal, service.as("lena", LIST_APPROVER)).status())
        .isEqualTo(200);
  }

  @Test
  void theCommittedDescriptionIsTheServedOne() {
    ApiDocument.isCommitted(
        service.rest, "sanctions", "io.solidus.operator.sanctions", "io.solidus.platform.audit");
  }
}
