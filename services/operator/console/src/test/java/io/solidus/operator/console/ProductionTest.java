package io.solidus.operator.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ProductionTest {

  @Test
  void refusesACookieThatOthersGetAndPlainConnections() {
    Map<String, Object> properties =
        Map.of(
            "spring.profiles.active", "production",
            "server.servlet.session.cookie.name", "solidus-console",
            "server.servlet.session.cookie.secure", "false",
            "solidus.console.public-url", "http://console.example",
            "solidus.console.login.issuer-uri", "http://login.example",
            "solidus.console.registration", "http://registration.example");
    assertThatThrownBy(() -> ConsoleApplication.start(properties))
        .hasStackTraceContaining("OPEN_COOKIE")
        .hasStackTraceContaining("PLAINTEXT_REST")
        .hasStackTraceContaining("solidus.console.public-url must start with https")
        .hasStackTraceContaining("solidus.console.login.issuer-uri must start with https")
        .hasStackTraceContaining("solidus.console.registration must start with https");
  }

  @Test
  void takesTheDefaultCookie() {
    Map<String, Object> properties =
        Map.of(
            "spring.profiles.active", "production",
            "solidus.console.public-url", "http://console.example");
    assertThatThrownBy(() -> ConsoleApplication.start(properties))
        .hasStackTraceContaining("PLAINTEXT_URL")
        .satisfies(refusal -> assertThat(refusal.toString()).doesNotContain("OPEN_COOKIE"));
  }
}
