package io.solidus.platform.database;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A service does not start on a database that may lose acknowledged commits. */
@AutoConfiguration(
    afterName = "org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration")
@ConditionalOnClass(JdbcClient.class)
@ConditionalOnBean(JdbcClient.class)
public class DurableDatabaseAutoConfiguration {

  @Bean
  DurableDatabase durableDatabase(JdbcClient jdbc) {
    return new DurableDatabase(jdbc);
  }
}
