package io.solidus.authority.common;

import io.solidus.platform.time.RepeatedJob;
import javax.sql.DataSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The database beans that every process of an authority shares. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(DurabilityProperties.class)
public class DurabilityConfiguration {

  /** Replaces the transaction manager of Spring Boot, so that every transaction is durable. */
  @Bean
  DurableTransactions transactionManager(DataSource database, DurabilityProperties properties) {
    return properties.transactions(database);
  }

  @Bean
  AuthorityDatabase authorityDatabase(DataSource database, DurableTransactions transactions) {
    return AuthorityDatabase.open(database, transactions);
  }

  /** Checks the settings of an idle process too, so that it leaves service before work arrives. */
  @Bean
  RepeatedJob durabilityCheck(
      AuthorityDatabase database,
      DurableTransactions transactions,
      DurabilityProperties properties) {
    return new RepeatedJob(
        "durability-check", properties.durabilityRecheck(), transactions::checkSession);
  }

  @Bean
  DurabilityGauges durabilityGauges(
      DurableTransactions transactions, DurabilityProperties properties) {
    return new DurabilityGauges(transactions, properties.synchronousStandbys());
  }

  @Bean
  DurabilityHealth durabilityHealth(DurableTransactions transactions) {
    return new DurabilityHealth(transactions);
  }
}
