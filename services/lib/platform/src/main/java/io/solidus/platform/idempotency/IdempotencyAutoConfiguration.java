package io.solidus.platform.idempotency;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Idempotent answers, for services that set {@code solidus.idempotency.enabled}. They need
 * PostgreSQL.
 */
@AutoConfiguration(
    afterName = "org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration")
@ConditionalOnProperty("solidus.idempotency.enabled")
public class IdempotencyAutoConfiguration {
  @Bean
  IdempotentAnswers idempotentAnswers(JdbcClient jdbc) {
    return new IdempotentAnswers(jdbc);
  }
}
