package io.solidus.platform.audit;

import io.solidus.platform.time.RepeatedJob;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/**
 * The audit log of services that name their event table in {@code solidus.audit.table} and have
 * {@code event_seal} beside it.
 */
@AutoConfiguration(
    afterName = "org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration")
@ConditionalOnProperty("solidus.audit.table")
class AuditAutoConfiguration {
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(10);

  @Bean
  EventSeals eventSeals(
      JdbcClient jdbc,
      PlatformTransactionManager transactions,
      @Value("${solidus.audit.table}") String table) {
    return new EventSeals(jdbc, new TransactionTemplate(transactions), table);
  }

  @Bean
  RepeatedJob eventSealer(EventSeals seals) {
    return new RepeatedJob("event-sealer", PAUSE, PAUSE_AFTER_FAILURE, seals::seal);
  }

  @Bean
  AuditController auditController(EventSeals seals, JsonMapper json) {
    return new AuditController(seals, json);
  }
}
