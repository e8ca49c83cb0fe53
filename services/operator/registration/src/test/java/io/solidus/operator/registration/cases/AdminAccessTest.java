package io.solidus.operator.registration.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.AdminRoutes;
import io.solidus.dev.testkit.ApiDocument;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdminAccessTest {
  @TempDir private static Path dir;
  private ServiceHarness service;

  @BeforeAll
  void start() throws IOException {
    service = new ServiceHarness(dir);
  }

  @AfterAll
  void stop() {
    service.close();
  }

  @Test
  void everyAdminRouteNeedsItsRole() {
    routes().attack(service.rest(), service.tokens());
  }

  @Test
  void nobodyIsAPartOfTheService() {
    for (String subject : List.of("system:expiry", "System: EXPIRY", "system:")) {
      assertThat(service.get("/admin/v1/kyc/queues", service.as(subject)).status())
          .as(subject)
          .isEqualTo(401);
    }
  }

  /** Every admin route. */
  static AdminRoutes routes() {
    UUID other = UUID.randomUUID();
    String one = "/admin/v1/kyc/cases/" + UUID.randomUUID();
    return new AdminRoutes()
        .plain("GET /admin/v1/kyc/cases", "kyc-operator")
        .plain("GET /admin/v1/registration/events")
        .plain("GET /admin/v1/registration/events/download")
        .plain("GET /admin/v1/registration/events/sealed")
        .plain("GET /admin/v1/registration/events/notes")
        .with("GET /admin/v1/kyc/cases/{caseId}", one, null, "kyc-operator", "people-approver")
        .with("POST /admin/v1/kyc/cases/{caseId}/approve", one + "/approve", "{}", "kyc-operator")
        .with("POST /admin/v1/kyc/cases/{caseId}/refuse", one + "/refuse", "{}", "kyc-operator")
        .with(
            "GET /admin/v1/kyc/cases/{caseId}/duplicates",
            one + "/duplicates",
            null,
            "kyc-operator")
        .with(
            "POST /admin/v1/kyc/cases/{caseId}/duplicates/{otherId}",
            one + "/duplicates/" + other,
            "{}",
            "kyc-operator")
        .with(
            "POST /admin/v1/kyc/cases/{caseId}/dispositions",
            one + "/dispositions",
            "{}",
            "kyc-operator")
        .with("POST /admin/v1/kyc/cases/{caseId}/changes", one + "/changes", "{}", "kyc-operator")
        .with(
            "POST /admin/v1/kyc/cases/{caseId}/changes/{changeId}/accept",
            one + "/changes/" + other + "/accept",
            "{}",
            "kyc-operator")
        .with(
            "POST /admin/v1/kyc/cases/{caseId}/changes/{changeId}/refuse",
            one + "/changes/" + other + "/refuse",
            "{}",
            "kyc-operator")
        .with("GET /admin/v1/kyc/cases/{caseId}/export", one + "/export", null, "kyc-operator")
        .plain("GET /admin/v1/kyc/alerts", "kyc-operator")
        .plain("GET /admin/v1/kyc/queues", "kyc-operator", "people-approver")
        .plain("GET /admin/v1/kyc/duplicates", "kyc-operator")
        .plain("GET /admin/v1/kyc/steps", "kyc-operator", "people-approver")
        .with("POST /admin/v1/kyc/cases/{caseId}/steps", one + "/steps", "{}", "kyc-operator")
        .with(
            "POST /admin/v1/kyc/cases/{caseId}/steps/{stepId}/accept",
            one + "/steps/" + other + "/accept",
            "{}",
            "people-approver")
        .with(
            "POST /admin/v1/kyc/cases/{caseId}/steps/{stepId}/refuse",
            one + "/steps/" + other + "/refuse",
            "{}",
            "kyc-operator",
            "people-approver")
        .plain("POST /admin/v1/kyc/search", "kyc-operator")
        .with("POST /admin/v1/kyc/cases/{caseId}/claim", one + "/claim", "{}", "kyc-operator")
        .with("POST /admin/v1/kyc/cases/{caseId}/release", one + "/release", "{}", "kyc-operator")
        .plain("GET /admin/v1/kyc/confirmations", "kyc-operator", "people-approver")
        .with(
            "POST /admin/v1/kyc/cases/{caseId}/dispositions/confirm",
            one + "/dispositions/confirm",
            "{}",
            "people-approver");
  }

  @Test
  void theCommittedDescriptionIsTheServedOne() {
    ApiDocument.isCommitted(
        service.rest(),
        "registration",
        "io.solidus.operator.registration",
        "io.solidus.platform.audit");
  }
}
