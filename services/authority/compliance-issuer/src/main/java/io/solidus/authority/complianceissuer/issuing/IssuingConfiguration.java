package io.solidus.authority.complianceissuer.issuing;

import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.authority.common.DurableTransactions;
import io.solidus.platform.notes.NoteTrust;
import io.solidus.protocol.AttestationCheck;
import io.solidus.protocol.NetworkId;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Beans for issuing. */
@Configuration(proxyBeanMethods = false)
class IssuingConfiguration {
  private static final int TRANSACTION_SECONDS = 10;

  @Bean
  RegistrationStore registrationStore(JdbcClient jdbc, DurableTransactions transactions) {
    transactions.requireSafe();
    TransactionTemplate transaction = new TransactionTemplate(transactions);
    transaction.setTimeout(TRANSACTION_SECONDS);
    return new RegistrationStore(jdbc, transaction);
  }

  @Bean
  IssuingService issuing(
      NetworkId network,
      NoteTrust trust,
      RegistrationStore store,
      SignerClient signer,
      PartialSignatureCheck partials,
      Clock clock,
      ComplianceIssuerProperties properties) {
    AttestationCheck attestations = new AttestationCheck(network, trust.registration(), clock);
    return new IssuingService(
        attestations, store, signer, partials, clock, properties.maxInFlight());
  }

  @Bean
  IssuingMetrics issuingMetrics(MeterRegistry registry) {
    return new IssuingMetrics(registry);
  }

  @Bean
  IssuerEndpoint issuerEndpoint(IssuingService issuing, IssuingMetrics metrics) {
    return new IssuerEndpoint(issuing, metrics);
  }
}
