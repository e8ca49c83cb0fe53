package io.solidus.authority.shard;

import io.solidus.authority.common.rules.RulesCache;
import io.solidus.authority.spend.Failpoints;
import io.solidus.authority.spend.Siblings;
import io.solidus.authority.spend.rules.AdmissionRule;
import io.solidus.protocol.Committee;
import io.solidus.protocol.NetworkId;
import io.solidus.prover.KeySet;
import java.time.Clock;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The pipelines of transfers, mints and recovers. */
@Configuration(proxyBeanMethods = false)
class PipelineConfiguration {

  @Bean
  @ConditionalOnMissingBean
  Failpoints failpoints() {
    return step -> {};
  }

  @Bean
  RequestDecoder requestDecoder(NetworkId network, KeySet keys) {
    return new RequestDecoder(network, keys.transfers());
  }

  @Bean
  TransferPipeline transferPipeline(
      ShardProperties properties,
      RequestDecoder decoder,
      NetworkId network,
      Committee committee,
      RulesCache rules,
      AdmissionRule rule,
      WithdrawnMoney withdrawn,
      ShardFloors floors,
      ShardStores stores,
      Siblings siblings,
      SignerStub signer,
      Failpoints failpoints,
      ShardMetrics metrics,
      Clock clock) {
    TransferAdmission admission =
        new TransferAdmission(network, committee, rules, rule, floors, clock);
    return new TransferPipeline(
        properties.batch(),
        decoder,
        admission,
        new FirstTransfers(withdrawn, floors),
        stores,
        siblings,
        signer,
        failpoints,
        metrics);
  }

  @Bean
  MintPipeline mintPipeline(
      ShardProperties properties,
      RequestDecoder decoder,
      RulesCache rules,
      AdmissionRule rule,
      DailyMintCap cap,
      ShardStores stores,
      Siblings siblings,
      SignerStub signer,
      Failpoints failpoints,
      ShardMetrics metrics,
      Clock clock) {
    MintAdmission admission = new MintAdmission(rules, rule, cap, clock);
    return new MintPipeline(
        properties.batch(), decoder, admission, stores, siblings, signer, failpoints, metrics);
  }

  @Bean
  RecoverPipeline recoverPipeline(
      ShardProperties properties,
      RequestDecoder decoder,
      ShardStores stores,
      Siblings siblings,
      SignerStub signer,
      Failpoints failpoints,
      ShardMetrics metrics) {
    return new RecoverPipeline(
        properties.batch(), decoder, stores, siblings, signer, failpoints, metrics);
  }
}
