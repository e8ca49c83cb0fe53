package io.solidus.operator.registration.cases;

import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.operator.registration.RegistrationProperties;
import io.solidus.operator.registration.evidence.RegistrationCheck;
import io.solidus.operator.registration.person.IdentityHasher;
import io.solidus.operator.registration.person.PersonVault;
import io.solidus.operator.registration.screening.ReplacedAddresses;
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

  /** After its first run the job has nothing to do. */
  private static final Duration BIRTH_KEYS_PAUSE = Duration.ofHours(1);

  private static final Duration EXPIRY_PAUSE = Duration.ofMinutes(1);

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
  DuplicateStore duplicateStore(JdbcClient jdbc, PersonVault vault) {
    return new DuplicateStore(jdbc, new CaseCodec(vault));
  }

  @Bean
  DuplicateSearch duplicateSearch(
      DuplicateStore store,
      CaseStore cases,
      IdentityHasher hasher,
      TransactionTemplate transaction,
      Clock clock) {
    return new DuplicateSearch(store, cases, hasher, transaction, clock);
  }

  @Bean
  RepeatedJob birthKeys(DuplicateSearch search, RegistrationProperties properties) {
    return new RepeatedJob(
        "birth-keys",
        BIRTH_KEYS_PAUSE,
        properties.screening().retryMin(),
        () -> {
          search.fillBirthKeys();
          search.searchAll();
        });
  }

  @Bean
  ClaimStore claimStore(JdbcClient jdbc) {
    return new ClaimStore(jdbc);
  }

  @Bean
  StandingStore standingStore(JdbcClient jdbc, PersonVault vault) {
    return new StandingStore(jdbc, new CaseCodec(vault));
  }

  @Bean
  StandingService standingService(
      CaseStore store,
      StandingStore steps,
      CaseDecisionService decisions,
      TransactionTemplate transaction,
      Clock clock,
      RegistrationProperties properties) {
    return new StandingService(
        store, steps, decisions, transaction, clock, properties.approvalValidity());
  }

  @Bean
  Expiry expiry(
      CaseStore store,
      StandingStore steps,
      ChangeStore changes,
      DuplicateStore duplicates,
      TransactionTemplate transaction,
      Clock clock,
      RegistrationProperties properties) {
    return new Expiry(
        store, steps, changes, duplicates, transaction, clock, properties.approvalValidity());
  }

  @Bean
  RepeatedJob proposalExpiry(Expiry expiry) {
    return new RepeatedJob("proposal-expiry", EXPIRY_PAUSE, expiry::run);
  }

  @Bean
  DeskService deskService(
      CaseStore store,
      ClaimStore claims,
      ChangeStore changes,
      CaseDecisionService decisions,
      IdentityHasher hasher,
      TransactionTemplate transaction,
      Clock clock,
      RegistrationProperties properties) {
    return new DeskService(
        store, claims, changes, decisions, hasher, transaction, clock, properties.claimTime());
  }

  @Bean
  ChangeStore changeStore(JdbcClient jdbc, PersonVault vault) {
    return new ChangeStore(jdbc, new CaseCodec(vault));
  }

  @Bean
  ScreeningStore screeningStore(
      JdbcClient jdbc,
      PersonVault vault,
      IdentityHasher hasher,
      RegistrationProperties properties) {
    return new ScreeningStore(
        jdbc, new CaseCodec(vault), hasher, properties.screening().secondWord());
  }

  @Bean
  CaseMetrics caseMetrics(
      MeterRegistry registry,
      CaseStore store,
      DuplicateStore duplicates,
      ScreeningStore screenings,
      Clock clock) {
    return new CaseMetrics(registry, store, duplicates, screenings, clock);
  }

  @Bean
  WaitingCases waitingCases(JdbcClient jdbc, ScreeningStore screenings) {
    return new WaitingCases(jdbc, screenings);
  }

  @Bean
  CaseScreeningService caseScreeningService(
      CaseStore store,
      DuplicateStore duplicates,
      ScreeningStore screenings,
      Screening screening,
      TransactionTemplate transaction,
      Clock clock,
      RegistrationProperties properties,
      CaseMetrics metrics) {
    RegistrationProperties.ScreeningSettings settings = properties.screening();
    CaseScreeningService.RetryTimes retry =
        new CaseScreeningService.RetryTimes(
            settings.retryMin(),
            settings.retryMax(),
            settings.timeout().plus(LEASE_MARGIN),
            settings.wholeInterval(),
            settings.sweepInterval());
    return new CaseScreeningService(
        store,
        duplicates,
        screenings,
        screening,
        transaction,
        clock,
        retry,
        settings.concurrency(),
        metrics);
  }

  @Bean
  RepeatedJob screeningWorker(CaseScreeningService screening, RegistrationProperties properties) {
    return new RepeatedJob(
        "screening-worker", properties.screening().pollInterval(), screening::screenAllDue);
  }

  @Bean
  RepeatedJob rescreening(CaseScreeningService screening, RegistrationProperties properties) {
    RegistrationProperties.ScreeningSettings settings = properties.screening();
    return new RepeatedJob(
        "rescreening", settings.basisInterval(), settings.retryMax(), screening::screenOutdated);
  }

  @Bean
  CaseSubmissionService caseSubmissionService(
      NetworkId network,
      IdentityHasher hasher,
      RegistrationCheck check,
      CaseStore store,
      DuplicateStore duplicates,
      DuplicateSearch search,
      CaseScreeningService screening,
      TransactionTemplate transaction,
      Clock clock,
      CaseMetrics metrics) {
    return new CaseSubmissionService(
        network, hasher, check, store, duplicates, search, screening, transaction, clock, metrics);
  }

  @Bean
  CaseDecisionService caseDecisionService(
      NetworkId network,
      NoteSigner signer,
      Outbox outbox,
      CaseStore store,
      DuplicateStore duplicates,
      ScreeningStore screenings,
      ChangeStore changes,
      ClaimStore claims,
      StandingStore steps,
      DuplicateSearch search,
      ReplacedAddresses addresses,
      CaseScreeningService screening,
      IdentityHasher hasher,
      TransactionTemplate transaction,
      Clock clock,
      CaseMetrics metrics) {
    Attestor attestor = new Attestor(network, signer, outbox);
    return new CaseDecisionService(
        store,
        duplicates,
        screenings,
        changes,
        claims,
        steps,
        search,
        new RegisteringAgain(store, steps, addresses),
        screening,
        hasher,
        attestor,
        transaction,
        clock,
        metrics);
  }

  @Bean
  ChangeService changeService(
      CaseStore store,
      DuplicateStore duplicates,
      ChangeStore changes,
      StandingStore steps,
      DuplicateSearch search,
      CaseScreeningService screening,
      CaseDecisionService decisions,
      IdentityHasher hasher,
      TransactionTemplate transaction,
      Clock clock,
      RegistrationProperties properties) {
    return new ChangeService(
        store,
        duplicates,
        changes,
        steps,
        search,
        screening,
        decisions,
        hasher,
        transaction,
        clock,
        properties.approvalValidity());
  }

  @Bean
  MatchService matchService(
      CaseStore store,
      ScreeningStore screenings,
      CaseDecisionService decisions,
      TransactionTemplate transaction,
      Clock clock,
      RegistrationProperties properties) {
    return new MatchService(
        store, screenings, decisions, transaction, clock, properties.approvalValidity());
  }

  @Bean
  DuplicateDecisionService duplicateDecisionService(
      CaseStore store,
      DuplicateStore duplicates,
      StandingStore steps,
      CaseDecisionService decisions,
      TransactionTemplate transaction,
      Clock clock,
      RegistrationProperties properties,
      CaseMetrics metrics) {
    return new DuplicateDecisionService(
        store,
        duplicates,
        steps,
        decisions,
        transaction,
        clock,
        properties.approvalValidity(),
        metrics);
  }
}
