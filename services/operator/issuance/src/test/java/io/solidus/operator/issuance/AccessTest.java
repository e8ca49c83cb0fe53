package io.solidus.operator.issuance;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.RestProbe.Answer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
  private static final String ID = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
  private static final Map<String, Set<String>> ROLES = new LinkedHashMap<>();

  static {
    ROLES.put("POST /admin/v1/fundings", Set.of(OPERATOR));
    ROLES.put("GET /admin/v1/fundings/{fundingId}", Set.of(OPERATOR));
    ROLES.put("POST /admin/v1/fundings/{fundingId}/access-token", Set.of(OPERATOR));
    ROLES.put("GET /admin/v1/mints", Set.of(OPERATOR, "approver", "auditor"));
    ROLES.put("GET /admin/v1/mints/{mintId}", Set.of(OPERATOR, "approver", "auditor"));
    ROLES.put("POST /admin/v1/mints/{mintId}/approvals", Set.of("approver"));
    ROLES.put("POST /admin/v1/mints/{mintId}/refusal", Set.of(OPERATOR, "approver"));
    ROLES.put("GET /admin/v1/supply", Set.of(OPERATOR, "approver", "auditor"));
    ROLES.put("GET /admin/v1/redemptions", Set.of(OPERATOR));
  }

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
  void theOpenApiDocumentHasEveryRoute() {
    Answer document = desk.rest.get("/v3/api-docs");
    Set<String> admin =
        document
            .json()
            .path("paths")
            .propertyStream()
            .filter(path -> path.getKey().startsWith("/admin"))
            .flatMap(path ->
                path.getValue()
                    .propertyStream()
                    .map(method -> method.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey()))
            .collect(Collectors.toSet());
    assertThat(admin).isEqualTo(ROLES.keySet());
    assertThat(document.json().path("paths").propertyStream().map(Map.Entry::getKey))
        .contains(
            "/v1/mints",
            "/v1/mints/{mintId}",
            "/v1/redemptions",
            "/v1/redemptions/{leadSerial}",
            "/v1/redemption-key");
  }

  @Test
  void everyAdminRouteNeedsItsRole() {
    ROLES.forEach((route, allowed) -> {
      assertThat(call(route).code()).as(route).isEqualTo("unauthorized");
      Stream.of(
              "kyc-operator",
              "sanctions-operator",
              "policy-operator",
              OPERATOR,
              "approver",
              "auditor",
              "service")
          .forEach(role -> {
            Answer answer = call(route, desk.as("nobody", role));
            if (allowed.contains(role)) {
              assertThat(answer.status()).as(route + " as " + role).isNotIn(401, 500);
            } else {
              assertThat(answer.code()).as(route + " as " + role).isEqualTo("forbidden");
            }
          });
    });
  }

  private Answer call(String route, String... headers) {
    int space = route.indexOf(' ');
    String path = route.substring(space + 1).replace("{fundingId}", "none").replace("{mintId}", ID);
    return desk.rest.send(route.substring(0, space), path, body(route), headers);
  }

  /** A body of the right format, because another one is refused before the role is checked. */
  private static @Nullable String body(String route) {
    if (route.endsWith("/approvals")) {
      return "{\"approver\":\"x\",\"signature\":\"AA\"}";
    }
    return route.endsWith("/refusal")
        ? "{\"reason\":\"x\"}"
        : route.startsWith("POST") ? "{}" : null;
  }
}
