package io.solidus.platform.production;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.solidus.platform.boot.ServiceLauncher;
import io.solidus.platform.production.ProductionRefusedException.Reason;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.mock.env.MockEnvironment;

class ProductionTest {
  private static final Set<String> CEREMONY = Set.of("ceremony");

  /** The configuration of a shard by its chart. */
  private static MockEnvironment shard() {
    return shard("solidus.network.allowed-key-classes", "ceremony");
  }

  private static MockEnvironment shard(String keyClassProperty, String keyClasses) {
    return new MockEnvironment()
        .withProperty(keyClassProperty, keyClasses)
        .withProperty("solidus.network.suite-review", "a review by name")
        .withProperty("solidus.network.transcripts", "1".repeat(64) + "," + "2".repeat(64))
        .withProperty("solidus.validator.signer", "signer.authority-1:9110")
        .withProperty("solidus.validator.sanctions-url", "https://sanctions:8082")
        .withProperty("solidus.grpc.ssl-bundle", "internal")
        .withProperty("spring.grpc.server.port", "9100")
        .withProperty("spring.grpc.server.ssl.bundle", "internal")
        .withProperty("spring.grpc.server.ssl.client-auth", "REQUIRE")
        .withProperty(
            "spring.datasource.url",
            "jdbc:postgresql://db:5432/authority?sslmode=verify-full&sslrootcert=/ca.crt")
        .withProperty("spring.datasource.username", "authority")
        .withProperty("solidus.validator.synchronous-standbys", "1")
        .withProperty("spring.datasource.password", "a long random one")
        .withProperty("spring.kafka.bootstrap-servers", "broker:9093")
        .withProperty("spring.kafka.security.protocol", "SASL_SSL")
        .withProperty("management.endpoints.web.exposure.include", "health,prometheus");
  }

  private static List<ProductionCode> codes(MockEnvironment environment) {
    return ProductionRules.violatedBy(environment).stream().map(Reason::code).toList();
  }

  @Test
  void acceptsAShardAsTheChartConfiguresIt() {
    assertThat(ProductionRules.violatedBy(shard())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "KEY_CLASS            | solidus.network.allowed-key-classes           | development",
        "KEY_CLASS            | solidus.network.allowed-key-classes           | ceremony,load-test",
        "KEY_CLASS            | solidus.network.allowed-key-classes           | CEREMONY,DEVELOPMENT",
        "SUITE_REVIEW         | solidus.network.suite-review                  | ''",
        "TRANSCRIPTS          | solidus.network.transcripts                   | ''",
        "TRANSCRIPTS          | solidus.network.transcripts                   | 00",
        "PLAINTEXT_GRPC       | spring.grpc.server.ssl.bundle                 | ''",
        "PLAINTEXT_GRPC       | spring.grpc.server.ssl.enabled                | false",
        "PLAINTEXT_GRPC       | spring.grpc.server.ssl.client-auth            | optional",
        "PLAINTEXT_GRPC       | spring.grpc.server.ssl.secure                 | false",
        "PLAINTEXT_GRPC       | solidus.grpc.allow-plaintext                  | true",
        "PLAINTEXT_GRPC       | solidus.tracing.allow-plaintext               | true",
        "PLAINTEXT_GRPC       | solidus.grpc.ssl-bundle                       | ''",
        "PLAINTEXT_REST       | spring.grpc.server.enabled                    | false",
        "PLAINTEXT_URL        | solidus.validator.sanctions-url               | HTTP://sanctions:8082",
        "PLAINTEXT_URL        | solidus.replica.gateway                       | http://gateway:8080",
        "PLAINTEXT_URL        | solidus.gateway.sanctions-url                 | http://sanctions:8082",
        "PLAINTEXT_URL        | solidus.security.jwt.issuer-uri               | http://issuer",
        "PLAINTEXT_DATABASE   | spring.datasource.url                         | jdbc:postgresql://db/a",
        "PLAINTEXT_DATABASE   | spring.datasource.url                         | jdbc:postgresql://db/a?sslmode=require",
        "PLAINTEXT_DATABASE   | spring.datasource.url                         | jdbc:postgresql://db/a?sslmode=verify-full&sslmode=disable",
        "PLAINTEXT_DATABASE   | spring.datasource.url                         | jdbc:postgresql://db/a?sslmode=verify-full&sslfactory=org.x.Any",
        "PLAINTEXT_DATABASE   | spring.datasource.hikari.jdbc-url             | jdbc:postgresql://db/a",
        "PLAINTEXT_DATABASE   | spring.datasource.hikari.data-source-properties.sslmode | disable",
        "PLAINTEXT_DATABASE   | spring.flyway.url                             | jdbc:postgresql://db/a",
        "UNNOTICED_LOSS       | solidus.validator.synchronous-standbys        | ''",
        "UNNOTICED_LOSS       | solidus.signer.sign-log                       | /log",
        "UNNOTICED_LOSS       | solidus.issuance.redemption-key-file          | /key",
        "UNNOTICED_LOSS       | solidus.audit.table                           | operator_event",
        "FIXED_PASSWORD       | spring.datasource.password                    | authority",
        "PLAINTEXT_KAFKA      | spring.kafka.security.protocol                | PLAINTEXT",
        "PLAINTEXT_KAFKA      | spring.kafka.security.protocol                | ''",
        "PLAINTEXT_KAFKA      | spring.kafka.properties.security.protocol     | SASL_PLAINTEXT",
        "PLAINTEXT_KAFKA      | spring.kafka.consumer.security.protocol       | PLAINTEXT",
        "PLAINTEXT_KAFKA      | spring.kafka.producer.properties.security.protocol | PLAINTEXT",
        "PLAINTEXT_KAFKA      | spring.kafka.properties.ssl.endpoint.identification.algorithm | ''",
        "STATIC_TOKEN_KEY     | solidus.security.jwt.public-key               | -----BEGIN PUBLIC KEY-----",
        "STATIC_SERVICE_TOKEN | solidus.registration.screening.token-file     | /token",
        "STATIC_SERVICE_TOKEN | solidus.issuance.screening.token-file         | /token",
        "UNSCREENED_MONEY     | solidus.issuance.sanctions-url                | https://sanctions:8082",
        "PLAINTEXT_URL        | solidus.service-client.token-url              | http://issuer/token",
        "PLAINTEXT_URL        | solidus.webhooks.targets.chat.url             | http://chat",
        "OPEN_ADMIN           | solidus.admin.port                            | false",
        "OPEN_ADMIN           | solidus.admin.port                            | ''",
        "OPEN_ADMIN           | solidus.admin.port                            | 0",
        "OPEN_ADMIN           | solidus.admin.port                            | -1",
        "OPEN_MANAGEMENT      | management.endpoints.web.exposure.include     | health,heapdump",
        "OPEN_MANAGEMENT      | management.endpoints.web.exposure.include     | health,heap-dump",
        "OPEN_MANAGEMENT      | management.endpoints.web.exposure.include     | HEAP_DUMP",
        "OPEN_MANAGEMENT      | management.endpoints.web.exposure.include     | loggers",
        "OPEN_MANAGEMENT      | management.endpoints.web.exposure.include     | *",
      })
  void refuses(ProductionCode code, String property, String value) {
    assertThat(codes(shard().withProperty(property, value))).containsOnly(code);
  }

  /** Attack: an issuance without its client for screening pays out to everybody. */
  @Test
  void refusesAnIssuanceThatScreensNobody() {
    MockEnvironment issuance =
        shard()
            .withProperty("solidus.issuance.sanctions-url", "https://sanctions:8082")
            .withProperty("solidus.issuance.screening.url", "https://sanctions:8182");
    assertThat(codes(issuance)).containsExactly(ProductionCode.UNSCREENED_MONEY);
    assertThat(codes(issuance.withProperty("solidus.service-client.id", "issuance"))).isEmpty();
    assertThat(codes(issuance.withProperty("solidus.issuance.screening.url", "")))
        .containsExactly(ProductionCode.UNSCREENED_MONEY);
  }

  @Test
  void refusesAKeyClassThatIsGivenByIndex() {
    assertThat(codes(shard("solidus.network.allowed-key-classes[0]", "LOAD_TEST")))
        .containsOnly(ProductionCode.KEY_CLASS);
  }

  @Test
  void refusesADevelopmentProfileBesideIt() {
    MockEnvironment environment = shard();
    environment.setActiveProfiles(Production.PROFILE, "load-test");
    assertThat(codes(environment)).containsExactly(ProductionCode.MIXED_PROFILE);
  }

  @Test
  void checksOnlyThePartsThatAServiceUses() {
    MockEnvironment prover =
        new MockEnvironment()
            .withProperty("solidus.platform.database", "false")
            .withProperty("solidus.platform.kafka", "false")
            .withProperty("spring.grpc.server.port", "9200")
            .withProperty("spring.grpc.server.ssl.bundle", "internal")
            .withProperty("spring.grpc.server.ssl.client-auth", "require")
            .withProperty("solidus.network.allowed-key-classes", "ceremony")
            .withProperty("solidus.network.suite-review", "a review by name")
            .withProperty("solidus.network.transcripts", "1".repeat(64) + "," + "2".repeat(64));
    assertThat(ProductionRules.violatedBy(prover)).isEmpty();
    MockEnvironment desk =
        new MockEnvironment()
            .withProperty("spring.grpc.server.enabled", "false")
            .withProperty("server.ssl.bundle", "internal");
    assertThat(ProductionRules.violatedBy(desk)).isEmpty();
    assertThat(codes(desk.withProperty("server.ssl.enabled", "false")))
        .containsExactly(ProductionCode.PLAINTEXT_REST);
  }

  /** A second check, in case the guard misses a spelling of a property. */
  @Test
  void noConfigurationAllowsOtherClassesOfKeys() {
    MockEnvironment environment = new MockEnvironment();
    Set<String> both = Set.of("ceremony", "development");
    assertThat(Production.keyClasses(environment, both, "ceremony")).isEqualTo(both);
    environment.setActiveProfiles("json-logs", Production.PROFILE);
    assertThat(Production.keyClasses(environment, CEREMONY, "ceremony")).isEqualTo(CEREMONY);
    for (Set<String> other :
        List.of(both, Set.of("development"), Set.of("load-test"), Set.<String>of())) {
      assertThatExceptionOfType(ProductionRefusedException.class)
          .isThrownBy(() -> Production.keyClasses(environment, other, "ceremony"))
          .satisfies(refused ->
              assertThat(refused.reasons())
                  .extracting(Reason::code)
                  .containsExactly(ProductionCode.KEY_CLASS));
    }
  }

  @Test
  void isOnByProfileOrProperty() {
    MockEnvironment environment = new MockEnvironment();
    assertThat(Production.isOn(environment)).isFalse();
    assertThat(Production.isOn(environment.withProperty("solidus.profile", " production ")))
        .isTrue();
    for (String slip : List.of("Production", "PRODUCTION", "prod")) {
      environment.setProperty("solidus.profile", slip);
      assertThat(Production.isOn(environment)).as(slip).isTrue();
    }
    environment.setProperty("solidus.profile", "staging");
    assertThat(Production.isOn(environment)).isFalse();
    environment.setActiveProfiles("production");
    assertThat(Production.isOn(environment)).isTrue();
  }

  /**
   * Attack: a property takes back what the variables say. The native library reads the variables.
   */
  @Test
  void noPropertyTakesAVariableBack() {
    for (Map.Entry<String, String> variable :
        Map.of("SPRING_PROFILES_ACTIVE", "json-logs, Production", "SOLIDUS_PROFILE", "prod")
            .entrySet()) {
      StandardEnvironment environment = new StandardEnvironment();
      MutablePropertySources sources = environment.getPropertySources();
      sources.replace(
          StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
          new SystemEnvironmentPropertySource(
              StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
              Map.of(variable.getKey(), variable.getValue())));
      sources.addFirst(
          new MapPropertySource(
              "commandLineArgs",
              Map.of("spring.profiles.active", "staging", "solidus.profile", "")));
      ConfigurationPropertySources.attach(environment);
      assertThat(environment.getActiveProfiles()).containsExactly("staging");
      assertThat(Production.isOn(environment)).as(variable.getKey()).isTrue();
    }
  }

  /** The application's only bean fails the test if it is made. */
  @Test
  void stopsAServiceBeforeItOpensAnything() {
    Map<String, Object> p =
        new HashMap<>(
            Map.of("spring.profiles.active", "production", "solidus.grpc.allow-plaintext", "true"));
    assertThatExceptionOfType(ProductionRefusedException.class)
        .isThrownBy(() -> ServiceLauncher.start(Nothing.class, "nothing", p))
        .withMessageContaining("PLAINTEXT_GRPC: solidus.grpc.allow-plaintext is set")
        .withMessageContaining("PLAINTEXT_REST");
  }

  /** An application that must not start. */
  @SpringBootConfiguration(proxyBeanMethods = false)
  static class Nothing {
    Nothing() {
      throw new AssertionError("made under the production profile");
    }
  }
}
