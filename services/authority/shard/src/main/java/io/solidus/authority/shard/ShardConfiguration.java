package io.solidus.authority.shard;

import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.authority.common.Issuers;
import io.solidus.authority.common.rules.RuleSettings;
import io.solidus.authority.common.rules.RulesCache;
import io.solidus.authority.common.rules.RulesConfiguration;
import io.solidus.authority.shard.rules.RuleIngestConfiguration;
import io.solidus.authority.spend.rules.AdmissionRule;
import io.solidus.platform.tracing.Spans;
import io.solidus.protocol.Committee;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import java.time.Clock;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** A shard: its range and tables, the rules in force, its calls, its pipelines and its service. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ShardProperties.class)
@Import({
  RulesConfiguration.class,
  RuleIngestConfiguration.class,
  StoreConfiguration.class,
  CallConfiguration.class,
  PipelineConfiguration.class
})
public class ShardConfiguration {

  @Bean
  RuleSettings ruleSettings(ShardProperties properties) {
    return properties.rules();
  }

  @Bean
  ShardMetrics shardMetrics(
      MeterRegistry registry, Spans spans, RulesCache rules, AdmissionRule rule, Clock clock) {
    return new ShardMetrics(registry, spans, rules, rule, clock);
  }

  @Bean
  StatusService statusService(
      ShardProperties properties,
      ShardStores stores,
      LookUpDatabase lookUps,
      Committee committee,
      NoteSigner signer,
      RulesCache rules,
      AdmissionRule rule,
      Clock clock) {
    return new StatusService(
        properties,
        stores.ownership()::mapNote,
        new CoreStore(lookUps.jdbc(), committee.epoch(), clock)::publishedCount,
        committee.epoch(),
        signer,
        rules,
        rule,
        clock);
  }

  @Bean
  TokenKeyCountersigner tokenKeyCountersigner(
      AuthorityDatabase database,
      NetworkId network,
      Issuers issuers,
      NoteSigner signer,
      Clock clock) {
    return new TokenKeyCountersigner(database, network, issuers.registration(), signer, clock);
  }

  @Bean
  ValidatorEndpoint validatorEndpoint(
      TransferPipeline transfers,
      MintPipeline mints,
      RecoverPipeline recovers,
      ShardStores stores,
      LookUpService lookUps,
      StateSigner states,
      StatusService status,
      TokenKeyCountersigner tokenKeys,
      ShardMetrics metrics,
      ShardProperties properties) {
    return new ValidatorEndpoint(
        transfers::submit,
        mints.queue()::submit,
        recovers.queue()::submit,
        lookUps,
        states,
        status,
        tokenKeys,
        stores.ownership()::mapNote,
        metrics,
        properties.maxLookUps());
  }
}
