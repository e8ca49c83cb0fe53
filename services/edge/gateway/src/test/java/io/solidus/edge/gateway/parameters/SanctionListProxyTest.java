package io.solidus.edge.gateway.parameters;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.platform.http.HttpClientProperties;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The allowed combinations of the sanctions service's address and the trusted certificates. */
class SanctionListProxyTest {
  private static GatewayProperties gateway(String sanctionsUrl) {
    return new GatewayProperties(
        "EUR",
        List.of(new GatewayProperties.Authority(1, List.of("localhost:1"), "", "")),
        "",
        new GatewayProperties.Urls("https://registration", "https://sanctions", "https://issuance"),
        sanctionsUrl,
        Duration.ofSeconds(1),
        Duration.ofSeconds(1),
        new GatewayProperties.MaxConcurrent(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
        new GatewayProperties.MaxPerSecond(1, 1, 1, 1, 1, 1, 1, 1, 1),
        new GatewayProperties.Tokens("", "", 1, 1),
        new GatewayProperties.Streams(1, 1, Duration.ofSeconds(1), Duration.ofSeconds(1)),
        Duration.ofDays(1),
        Duration.ofSeconds(1));
  }

  private static URI address(String sanctionsUrl, String bundle) {
    return SanctionListProxy.address(gateway(sanctionsUrl), new HttpClientProperties(bundle));
  }

  @Test
  void rejectsTheAddressForWalletsWithInternalCertificatesOnly() {
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> address("", "internal"))
        .withMessageContaining("solidus.gateway.sanctions-url");
  }

  @Test
  void acceptsEveryOtherCombination() {
    assertThatNoException().isThrownBy(() -> address("", ""));
    assertThatNoException().isThrownBy(() -> address("https://sanctions:8082", "internal"));
    assertThatNoException().isThrownBy(() -> address("https://sanctions:8082", ""));
  }
}
