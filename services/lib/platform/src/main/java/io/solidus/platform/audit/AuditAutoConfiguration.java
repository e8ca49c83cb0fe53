package io.solidus.platform.audit;

import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.platform.notes.NoteSigners;
import io.solidus.platform.time.RepeatedJob;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** The audit log of services that name their event table in {@code solidus.audit.table}. */
@AutoConfiguration(
    after = io.solidus.platform.time.ClockAutoConfiguration.class,
    afterName = "org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration")
@ConditionalOnProperty("solidus.audit.table")
@EnableConfigurationProperties(AuditProperties.class)
class AuditAutoConfiguration {
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(10);

  @Bean
  EventSeals eventSeals(
      JdbcClient jdbc,
      PlatformTransactionManager transactions,
      AuditProperties properties,
      Clock clock) {
    return new EventSeals(jdbc, new TransactionTemplate(transactions), properties, clock);
  }

  @Bean
  AuditLog auditLog(JdbcClient jdbc, AuditProperties properties, Clock clock) {
    return new AuditLog(jdbc, properties, clock);
  }

  @Bean
  RepeatedJob eventSealer(EventSeals seals) {
    return new RepeatedJob("event-sealer", PAUSE, PAUSE_AFTER_FAILURE, seals::seal);
  }

  @Bean
  AuditController auditController(
      EventSeals seals,
      JdbcClient jdbc,
      AuditProperties properties,
      ObjectProvider<DailyNotes> notes,
      JsonMapper json) {
    return new AuditController(
        seals, new AuditSearch(jdbc, properties, seals), notes.getIfAvailable(), json);
  }

  /** The daily notes of services that have a key for them. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnProperty("solidus.audit.note-key-file")
  static class Notes {
    private static final Duration PAUSE = Duration.ofMinutes(1);

    @Bean
    DailyNotes dailyNotes(
        JdbcClient jdbc,
        PlatformTransactionManager transactions,
        EventSeals seals,
        AuditProperties properties,
        Clock clock,
        MeterRegistry metrics) {
      Path key = Objects.requireNonNull(properties.noteKeyFile());
      return new DailyNotes(
          jdbc,
          new TransactionTemplate(transactions),
          seals,
          NoteSigners.load(properties.origin(), key),
          properties.notesFile(),
          properties.closedThrough(),
          clock,
          metrics);
    }

    @Bean
    RepeatedJob dailyNotesJob(DailyNotes notes) {
      return new RepeatedJob("daily-notes", PAUSE, notes::run);
    }
  }
}
