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

  /** Of a job that has something to do after a change of the master key alone. */
  private static final Duration SEALING_PAUSE = Duration.ofMinutes(10);

  private static final Duration RETENTION_PAUSE = Duration.ofHours(1);

  private static final Duration EXPIRY_PAUSE = Duration.ofMinutes(1);

  private static final int TRANSACTION_SECONDS = 10;

  @Bean
  TransactionTemplate transactionTemplate(PlatformTransactionManager manager) {
    TransactionTemplate template = new TransactionTemplate(manager);
    template.setTimeout(TRANSACTION_SECONDS);
    return template;
  }

  @Bean
  DataKeys dataKeys(JdbcClient jdbc, PersonVault vault) {
    return new DataKeys(jdbc, vault);
  }

  @Bean
  CaseCodec caseCodec(PersonVault vault, DataKeys keys) {
    return new CaseCodec(vault, keys);
  }

  @Bean
  SealingService sealingService(
      JdbcClient jdbc, CaseCodec codec, DataKeys keys, TransactionTemplate transaction) {
    return new SealingService(jdbc, codec, keys, transaction);
  }

  @Bean
  RepeatedJob sealing(SealingService sealing, RegistrationProperties properties) {
    return new RepeatedJob(
        "sealing", SEALING_PAUSE, properties.screening().retryMax(), sealing::run);
  }

  @Bean
  ErasureStore erasureStore(JdbcClient jdbc, DataKeys keys) {
    return new ErasureStore(jdbc, keys);
  }

  @Bean
  ErasureService erasureService(
      CaseStore store,
      ErasureStore erasures,
      SealingService sealing,
      CaseDecisionService decisions,
      TransactionTemplate transaction,
      Clock clock,
      RegistrationProperties properties) {
    return new ErasureService(
        store, erasures, sealing, decisions, transaction, clock, properties.retention());
  }

  @Bean
  RepeatedJob retention(ErasureService erasure) {
    return new RepeatedJob("retention", RETENTION_PAUSE, erasure::eraseDue);
  }

  @Bean
  CaseStore caseStore(JdbcClient jdbc, CaseCodec codec) {
    return new CaseStore(jdbc, codec);
  }

  @Bean
  DuplicateStore duplicateStore(JdbcClient jdbc, CaseCodec codec) {
    return new DuplicateStore(jdbc, codec);
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
  StandingStore standingStore(JdbcClient jdbc, CaseCodec codec) {
    return new StandingStore(jdbc, codec);
  }

  @Bean
  StandingService standingService(
      CaseStore store,
      StandingStore steps,
      ErasureService erasure,
      CaseDecisionService decisions,
      TransactionTemplate transaction,
      Clock clock,
      RegistrationProperties properties) {
    return new StandingService(
        store, steps, erasure, decisions, transaction, clock, properties.approvalValidity());
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
  ChangeStore changeStore(JdbcClient jdbc, CaseCodec codec) {
    return new ChangeStore(jdbc, codec);
  }

  @Bean
  ApprovalStore approvalStore(JdbcClient jdbc, CaseCodec codec) {
    return new ApprovalStore(jdbc, codec);
  }

  @Bean
  ScreeningStore screeningStore(
      JdbcClient jdbc, CaseCodec codec, IdentityHasher hasher, RegistrationProperties properties) {
    return new ScreeningStore(jdbc, codec, hasher, properties.screening().secondWord());
  }

  @Bean
  CaseMetrics caseMetrics(
      MeterRegistry registry,
      CaseStore store,
      DuplicateStore duplicates,
      ScreeningStore screenings,
      SealingService sealing,
      DataKeys keys,
      Clock clock) {
    return new CaseMetrics(registry, store, duplicates, screenings, sealing, keys, clock);
  }

  @Bean
  WaitingCases waitingCases(JdbcClient jdbc, ScreeningStore screenings, StandingStore standings) {
    return new WaitingCases(jdbc, screenings, standings);
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
      StandingStore steps,
      TransactionTemplate transaction,
      Clock clock,
      CaseMetrics metrics) {
    return new CaseSubmissionService(
        network,
        hasher,
        check,
        store,
        duplicates,
        search,
        screening,
        steps,
        transaction,
        clock,
        metrics);
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
      ErasureStore erasures,
      ApprovalStore approvals,
      DuplicateSearch search,
      ReplacedAddresses addresses,
      CaseScreeningService screening,
      IdentityHasher hasher,
      TransactionTemplate transaction,
      Clock clock,
      CaseMetrics metrics,
      RegistrationProperties properties) {
    Attestor attestor = new Attestor(network, signer, outbox);
    return new CaseDecisionService(
        store,
        duplicates,
        screenings,
        changes,
        claims,
        steps,
        erasures,
        approvals,
        search,
        new RegisteringAgain(store, steps, addresses),
        screening,
        hasher,
        attestor,
        transaction,
        clock,
        metrics,
        properties.approvalValidity());
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
