package io.solidus.authority.signer;

import io.grpc.MethodDescriptor;
import io.grpc.ServerInterceptor;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.authority.common.InternalCalls;
import io.solidus.authority.common.Issuers;
import io.solidus.authority.common.rules.RuleSettings;
import io.solidus.authority.common.rules.RulesCache;
import io.solidus.authority.common.rules.RulesConfiguration;
import io.solidus.authority.signer.log.SignedCores;
import io.solidus.authority.signer.log.SpentRows;
import io.solidus.authority.spend.rules.AdmissionRule;
import io.solidus.platform.tracing.Spans;
import io.solidus.protocol.AttestationCheck;
import io.solidus.protocol.NetworkId;
import io.solidus.prover.KeySet;
import io.solidus.prover.Verifier;
import io.solidus.wire.v1.SignerServiceGrpc;
import java.time.Clock;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.server.GlobalServerInterceptor;

/** A signer: its keys, its sign-log, the rules in force, its checks and its service. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SignerProperties.class)
@Import({
  RulesConfiguration.class,
  KeyConfiguration.class,
  SignLogConfiguration.class,
  VerificationConfiguration.class
})
public class SignerConfiguration {

  /** All methods need the internal token: nobody else has anything to ask a signer for. */
  private static final Set<String> OWN_PROCESSES_ONLY =
      SignerServiceGrpc.getServiceDescriptor().getMethods().stream()
          .map(MethodDescriptor::getFullMethodName)
          .collect(Collectors.toUnmodifiableSet());

  @Bean
  SignerNetwork signerNetwork(NetworkId id, KeySet keys) {
    return new SignerNetwork(id, keys.transfers());
  }

  @Bean
  RuleSettings ruleSettings(SignerProperties properties) {
    return properties.rules();
  }

  @Bean
  SignerMetrics signerMetrics(MeterRegistry registry, Spans spans) {
    return new SignerMetrics(registry, spans);
  }

  @Bean
  SigningService signingService(
      SignerNetwork network,
      SignerSecrets secrets,
      SpentRows spentRows,
      SignLogSupervisor signLog,
      NativePool pool,
      SignerProperties properties,
      SignerMetrics metrics) {
    return new SigningService(
        network, secrets.shares(), spentRows, signLog, pool, properties.deadline(), metrics);
  }

  @Bean
  RecoverChecker recoverChecker(
      SignerNetwork network,
      RulesCache rules,
      AdmissionRule rule,
      Verifier verifier,
      @Qualifier("recoverPool") NativePool recoverPool,
      AcceptedEvidence accepted,
      SignerProperties properties,
      Clock clock) {
    return new RecoverChecker(
        network,
        rules::current,
        rule,
        verifier,
        new EvidenceVerdicts(accepted, properties.verdicts(), recoverPool),
        clock);
  }

  @Bean
  SignerEndpoint signerEndpoint(
      SignerNetwork network,
      Issuers issuers,
      RulesCache rules,
      AdmissionRule rule,
      Verifier verifier,
      NativePool pool,
      TransferChecker checker,
      RecoverChecker recovers,
      VerificationPool verifications,
      TransferCache cache,
      AcceptedEvidence accepted,
      SignedCores signedCores,
      SigningService signing,
      SignLogSupervisor signLog,
      SignerMetrics metrics,
      SignerProperties properties,
      Clock clock) {
    return new SignerEndpoint(
        network,
        new TransferBatchService(network, checker, verifications, cache, signing, signLog),
        new MintChecker(
            network,
            issuers.approvers(),
            rules::current,
            rule,
            verifier,
            new EvidenceVerdicts(accepted, properties.verdicts(), pool),
            signedCores::holds,
            clock),
        recovers,
        new RegistrationChecker(
            network,
            new AttestationCheck(network.id(), issuers.registration(), clock),
            verifier,
            new EvidenceVerdicts(accepted, properties.verdicts(), pool)),
        signing,
        signLog,
        metrics);
  }

  @Bean
  @GlobalServerInterceptor
  ServerInterceptor ownProcessesOnly(SignerSecrets secrets) {
    return InternalCalls.require(secrets.token(), OWN_PROCESSES_ONLY);
  }
}
