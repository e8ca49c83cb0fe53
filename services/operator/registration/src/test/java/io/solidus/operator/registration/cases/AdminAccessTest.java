package io.solidus.operator.registration.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.RestProbe;
import io.solidus.dev.testkit.TestTokens;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

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

  /** Tries every operation of the published API, so that new ones are covered too. */
  @Test
  void everyAdminOperationNeedsAValidTokenWithTheRole() {
    TestTokens tokens = service.tokens();
    JsonNode paths = service.get("/v3/api-docs").body().path("paths");
    int tried = 0;
    for (Map.Entry<String, JsonNode> path : paths.properties()) {
      if (!path.getKey().startsWith("/admin/")) {
        continue;
      }
      String url = path.getKey().replace("{caseId}", UUID.randomUUID().toString());
      for (String method : path.getValue().propertyNames()) {
        assertRefused(method, url, 401, null);
        assertRefused(method, url, 401, "nonsense");
        assertRefused(method, url, 401, tokens.unsigned("olga", "kyc-operator"));
        assertRefused(method, url, 401, tokens.expired("olga", "kyc-operator"));
        assertRefused(method, url, 401, tokens.withoutExpiry("olga", "kyc-operator"));
        assertRefused(method, url, 401, tokens.forOtherAudience("olga", "kyc-operator"));
        assertRefused(method, url, 401, TestTokens.create().token("olga", "kyc-operator"));
        assertRefused(method, url, 403, tokens.token("olga"));
        assertRefused(
            method,
            url,
            403,
            tokens.token("olga", "sanctions-operator", "issuance-operator", "approver"));
        tried++;
      }
    }
    assertThat(tried).isEqualTo(4);
  }

  private void assertRefused(String method, String url, int status, @Nullable String token) {
    String[] headers =
        token == null ? new String[0] : new String[] {"Authorization", "Bearer " + token};
    RestProbe.Answer answer =
        service
            .rest()
            .send(
                method.toUpperCase(Locale.ROOT), url, method.equals("post") ? "{}" : null, headers);
    assertThat(answer.status()).as(method + " " + url).isEqualTo(status);
    assertThat(answer.code()).isEqualTo(status == 401 ? "unauthorized" : "forbidden");
  }
}
