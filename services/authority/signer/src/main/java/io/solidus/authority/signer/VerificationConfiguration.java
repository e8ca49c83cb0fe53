package io.solidus.authority.signer;

import io.solidus.authority.common.rules.RulesCache;
import io.solidus.authority.signer.log.SignedCores;
import io.solidus.authority.signer.log.SpentRows;
import io.solidus.authority.spend.rules.AdmissionRule;
import io.solidus.protocol.Committee;
import io.solidus.prover.Verifier;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** The checks of transfers, with their native threads and caches. */
@Configuration(proxyBeanMethods = false)
class VerificationConfiguration {

  private static final int WORK_QUEUE = 512;
  private static final int RECOVER_QUEUE = 16;

  /**
   * Threads for all native work except the verification of transfers, so that a signature does not
   * wait for a batch of those.
   */
  @Bean(destroyMethod = "close")
  @Primary
  NativePool nativePool(SignerProperties properties) {
    return new NativePool(properties.threads(), WORK_QUEUE, properties.deadline());
  }

  /** One thread for recovers, however many are sent: each takes as long as 17 transfers. */
  @Bean(destroyMethod = "close")
  NativePool recoverPool(SignerProperties properties) {
    return new NativePool(1, RECOVER_QUEUE, properties.deadline());
  }

  @Bean(destroyMethod = "close")
  VerificationPool verificationPool(
      Verifier verifier,
      SignerNetwork network,
      SignerProperties properties,
      SignerMetrics metrics) {
    return new VerificationPool(
        new NativeTransferVerifier(verifier, network.kind()), properties.verification(), metrics);
  }

  @Bean
  AcceptedEvidence acceptedEvidence(SignerProperties properties) {
    return new AcceptedEvidence(properties.verdicts());
  }

  @Bean
  TransferCache transferCache(AcceptedEvidence accepted, SignerProperties properties) {
    return new TransferCache(accepted, properties.verdicts());
  }

  @Bean
  FinishRule finishRule(Committee committee, SignedCores signedCores) {
    return new FinishRule(committee, signedCores::holds);
  }

  @Bean
  TransferChecker transferChecker(
      SignerNetwork network,
      FinishRule finish,
      RulesCache rules,
      AdmissionRule rule,
      SpentRows spent,
      VerificationPool verifications,
      TransferCache cache,
      SignerProperties properties,
      Clock clock) {
    return new TransferChecker(
        network,
        rules::current,
        rule,
        finish,
        spent::holds,
        verifications,
        cache,
        clock,
        properties.deadline());
  }

  @Bean
  SignerGauges signerGauges(
      NativePool pool,
      VerificationPool verifications,
      AcceptedEvidence accepted,
      TransferCache cache,
      FinishRule finish) {
    return new SignerGauges(pool, verifications, accepted, cache, finish);
  }
}
