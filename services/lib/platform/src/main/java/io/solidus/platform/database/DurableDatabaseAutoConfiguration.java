package io.solidus.platform.database;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A service does not start on a database that may lose acknowledged commits, nor in production as a
 * role that can change what its audit log and its triggers keep.
 */
@AutoConfiguration(
    afterName = "org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration")
@ConditionalOnClass(JdbcClient.class)
@ConditionalOnBean(JdbcClient.class)
public class DurableDatabaseAutoConfiguration {

  @Bean
  DurableDatabase durableDatabase(JdbcClient jdbc) {
    return new DurableDatabase(jdbc);
  }

  @Bean
  @ConditionalOnProperty("solidus.audit.table")
  OwnerOfTables ownerOfTables(JdbcClient jdbc, Environment environment) {
    return new OwnerOfTables(jdbc, environment);
  }
}
