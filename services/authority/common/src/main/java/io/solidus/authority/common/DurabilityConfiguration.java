package io.solidus.authority.common;

import io.solidus.platform.time.Periodically;
import javax.sql.DataSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The database as every process of an authority uses it. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(DurabilityProperties.class)
public class DurabilityConfiguration {

  /** In place of Spring Boot's own, so that no transaction of these processes is any other. */
  @Bean
  DurableTransactions transactionManager(DataSource database, DurabilityProperties properties) {
    return new DurableTransactions(
        database, properties.synchronousStandbys(), properties.durabilityRecheck());
  }

  @Bean
  AuthorityDatabase authorityDatabase(DataSource database, DurableTransactions transactions) {
    return AuthorityDatabase.open(database, transactions);
  }

  /** A process without work notices as well, and takes itself out of service before work comes. */
  @Bean
  Periodically durabilityCheck(
      AuthorityDatabase opened, DurableTransactions transactions, DurabilityProperties properties) {
    return new Periodically("durability-check", properties.durabilityRecheck(), transactions::look);
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
