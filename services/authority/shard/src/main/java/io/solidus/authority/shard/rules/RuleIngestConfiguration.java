package io.solidus.authority.shard.rules;

import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.authority.common.rules.RuleIngest;
import io.solidus.authority.common.rules.RuleNotes;
import io.solidus.authority.common.rules.RuleSettings;
import io.solidus.authority.common.rules.RuleStore;
import io.solidus.authority.common.rules.RulesCache;
import io.solidus.authority.common.rules.SanctionRootCheck;
import io.solidus.platform.http.HttpClients;
import io.solidus.platform.time.RepeatedJob;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The sources of rules: Kafka and the sanctions service. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(RuleIngestProperties.class)
public class RuleIngestConfiguration {

  private static final String URL = "solidus.validator.sanctions-url";
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

  @Bean(destroyMethod = "close")
  @ConditionalOnProperty(URL)
  SanctionsClient sanctionsClient(RuleIngestProperties properties, HttpClients clients) {
    return new SanctionsClient(clients.open(CONNECT_TIMEOUT), properties.requireUrl());
  }

  @Bean
  RuleIngest ruleIngest(
      RuleStore store,
      RuleNotes notes,
      SanctionRootCheck roots,
      RulesCache rules,
      Optional<SanctionsClient> sanctions,
      RuleSettings settings,
      Clock clock,
      MeterRegistry registry) {
    RuleIngest.Lists lists = version -> sanctions.flatMap(client -> client.list(version));
    return new RuleIngest(store, notes, roots, rules, lists, settings.windows(), clock, registry);
  }

  @Bean
  @ConditionalOnProperty(URL)
  RepeatedJob rulesFetch(
      SanctionsClient sanctions,
      RuleIngest ingest,
      RulesCache rules,
      RuleStore store,
      RuleNotes notes,
      RuleIngestProperties properties) {
    RuleFetcher fetcher = new RuleFetcher(sanctions, ingest, rules, notes);
    return new RepeatedJob(
        "rules-fetch",
        properties.pullInterval(),
        () -> {
          fetcher.fetch();
          store.dropListsBefore(rules.oldestCheckpointInUse());
        });
  }

  @Bean
  @ConditionalOnProperty(
      name = "solidus.validator.kafka",
      havingValue = "true",
      matchIfMissing = true)
  RuleListener ruleListener(RuleIngest ingest) {
    return new RuleListener(ingest);
  }
}
