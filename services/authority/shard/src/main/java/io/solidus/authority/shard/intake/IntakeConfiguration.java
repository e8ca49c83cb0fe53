package io.solidus.authority.shard.intake;

import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.authority.common.facts.FactBook;
import io.solidus.authority.common.facts.FactIntake;
import io.solidus.authority.common.facts.FactNotes;
import io.solidus.authority.common.facts.FactStore;
import io.solidus.authority.common.facts.RootCheck;
import io.solidus.authority.spend.rules.AdmissionWindows;
import io.solidus.platform.http.HttpClients;
import io.solidus.platform.time.Periodically;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The ways in. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(IntakeProperties.class)
public class IntakeConfiguration {

  private static final String URL = "solidus.validator.sanctions-url";
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

  @Bean(destroyMethod = "close")
  @ConditionalOnProperty(URL)
  SanctionsClient sanctionsClient(IntakeProperties properties, HttpClients clients) {
    return new SanctionsClient(clients.open(CONNECT_TIMEOUT), properties.requireUrl());
  }

  @Bean
  FactIntake factIntake(
      FactStore store,
      FactNotes notes,
      RootCheck roots,
      FactBook book,
      Optional<SanctionsClient> sanctions,
      AdmissionWindows windows,
      Clock clock,
      MeterRegistry registry) {
    FactIntake.Lists lists = version -> sanctions.flatMap(client -> client.list(version));
    return new FactIntake(store, notes, roots, book, lists, windows, clock, registry);
  }

  @Bean
  @ConditionalOnProperty(URL)
  Periodically factPull(
      SanctionsClient sanctions,
      FactIntake intake,
      FactBook book,
      FactStore store,
      FactNotes notes,
      IntakeProperties properties) {
    FactPull pull = new FactPull(sanctions, intake, book, notes);
    return new Periodically(
        "fact-pull",
        properties.pullInterval(),
        () -> {
          pull.pull();
          store.dropListsBefore(book.oldestCheckpointInUse());
        });
  }

  @Bean
  @ConditionalOnProperty(
      name = "solidus.validator.kafka",
      havingValue = "true",
      matchIfMissing = true)
  KafkaFacts kafkaFacts(FactIntake intake) {
    return new KafkaFacts(intake);
  }
}
