package io.solidus.operator.registration.cases;

import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.operator.registration.RegistrationProperties;
import io.solidus.operator.registration.evidence.RegistrationCheck;
import io.solidus.operator.registration.person.IdentityHasher;
import io.solidus.operator.registration.person.PersonVault;
import io.solidus.operator.registration.screening.Screening;
import io.solidus.platform.outbox.Outbox;
import io.solidus.platform.time.RepeatedJob;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import java.time.Clock;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Creates the services for cases. */
@Configuration(proxyBeanMethods = false)
class CasesConfiguration {
  private static final Duration LEASE_MARGIN = Duration.ofSeconds(1);
  private static final int TRANSACTION_SECONDS = 10;

  @Bean
  TransactionTemplate transactionTemplate(PlatformTransactionManager manager) {
    TransactionTemplate template = new TransactionTemplate(manager);
    template.setTimeout(TRANSACTION_SECONDS);
    return template;
  }

  @Bean
  CaseStore caseStore(JdbcClient jdbc, PersonVault vault) {
    return new CaseStore(jdbc, new CaseCodec(vault));
  }

  @Bean
  CaseMetrics caseMetrics(MeterRegistry registry, CaseStore store) {
    return new CaseMetrics(registry, store);
  }

  @Bean
  CaseScreeningService caseScreeningService(
      CaseStore store,
      Screening screening,
      TransactionTemplate transaction,
      Clock clock,
      RegistrationProperties properties) {
    RegistrationProperties.ScreeningSettings settings = properties.screening();
    CaseScreeningService.RetryTimes retry =
        new CaseScreeningService.RetryTimes(
            settings.retryMin(), settings.retryMax(), settings.timeout().plus(LEASE_MARGIN));
    return new CaseScreeningService(
        store, screening, transaction, clock, retry, settings.concurrency());
  }

  @Bean
  RepeatedJob screeningWorker(CaseScreeningService screening, RegistrationProperties properties) {
    return new RepeatedJob(
        "screening-worker", properties.screening().pollInterval(), screening::screenAllDue);
  }

  @Bean
  CaseSubmissionService caseSubmissionService(
      NetworkId network,
      IdentityHasher hasher,
      RegistrationCheck check,
      CaseStore store,
      CaseScreeningService screening,
      TransactionTemplate transaction,
      Clock clock,
      CaseMetrics metrics) {
    return new CaseSubmissionService(
        network, hasher, check, store, screening, transaction, clock, metrics);
  }

  @Bean
  CaseDecisionService caseDecisionService(
      NetworkId network,
      NoteSigner signer,
      Outbox outbox,
      CaseStore store,
      TransactionTemplate transaction,
      Clock clock,
      RegistrationProperties properties,
      CaseMetrics metrics) {
    Attestor attestor = new Attestor(network, signer, outbox);
    return new CaseDecisionService(
        store, attestor, transaction, clock, properties.screening().maxAge(), metrics);
  }
}
