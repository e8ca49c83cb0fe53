package io.solidus.platform.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ListAssert;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.mock.env.MockEnvironment;

class FeatureSwitchesTest {
  private static final String[] ALL =
      ImportCandidates.load(AutoConfiguration.class, FeatureSwitchesTest.class.getClassLoader())
          .getCandidates()
          .toArray(String[]::new);

  private static ListAssert<String> assertKept(MockEnvironment environment) {
    FeatureSwitches switches = new FeatureSwitches();
    switches.setEnvironment(environment);
    boolean[] keep = switches.match(ALL, mock(AutoConfigurationMetadata.class));
    List<String> kept = new ArrayList<>();
    for (int i = 0; i < ALL.length; i++) {
      if (keep[i]) {
        kept.add(ALL[i]);
      }
    }
    return assertThat(kept);
  }

  @Test
  void excludesPasswordsAndTokensOnGrpcOnlyByDefault() {
    assertKept(new MockEnvironment())
        .anyMatch(name -> name.contains(".jdbc."))
        .anyMatch(name -> name.contains("boot.kafka."))
        .anyMatch(name -> name.contains("platform.outbox."))
        .noneMatch(name -> name.endsWith(".UserDetailsServiceAutoConfiguration"))
        .noneMatch(name -> name.contains("grpc.server.autoconfigure.security"))
        .noneMatch(name -> name.contains("oauth2.server.resource"));
  }

  @Test
  void withoutDatabaseKafkaKeepsItsErrorHandling() {
    assertKept(new MockEnvironment().withProperty("solidus.platform.database", "false"))
        .noneMatch(name -> name.contains(".jdbc.") || name.contains(".flyway."))
        .noneMatch(name -> name.contains("platform.outbox."))
        .contains("io.solidus.platform.kafka.KafkaRulesAutoConfiguration")
        .anyMatch(name -> name.contains("boot.kafka."));
  }

  @Test
  void withoutKafkaTheDatabaseStays() {
    assertKept(new MockEnvironment().withProperty("solidus.platform.kafka", "false"))
        .noneMatch(name -> name.contains("boot.kafka."))
        .anyMatch(name -> name.contains(".jdbc."));
  }
}
