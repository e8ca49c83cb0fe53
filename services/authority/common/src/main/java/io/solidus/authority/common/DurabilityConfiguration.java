package io.solidus.authority.common;

import io.solidus.platform.time.RepeatedJob;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.TransientDataAccessResourceException;

/** Durable transactions, for every process of an authority. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(DurabilityProperties.class)
public class DurabilityConfiguration {

  /** Replaces the transaction manager of Spring Boot, so that every transaction is durable. */
  @Bean
  DurableTransactions transactionManager(DataSource database, DurabilityProperties properties) {
    return properties.transactions(database);
  }

  /** Checks the settings of an idle process too, so that it leaves service before work arrives. */
  @Bean
  RepeatedJob durabilityCheck(DurableTransactions transactions, DurabilityProperties properties) {
    return new RepeatedJob(
        "durability-check", properties.durabilityRecheck(), transactions::checkSession);
  }

  /** Tries whether standbys confirm commits, so that nothing begins that cannot commit. */
  @Bean
  RepeatedJob standbyProbe(DurableTransactions transactions) {
    return new RepeatedJob(
        "standby-probe",
        StandbyWatch.PROBE_INTERVAL,
        () -> {
          try {
            transactions.probeStandbys();
          } catch (SQLException e) {
            throw new TransientDataAccessResourceException("no standby confirmed a commit", e);
          }
        });
  }

  @Bean
  RepeatedJob longWaits(DurableTransactions transactions) {
    return new RepeatedJob("long-waits", StandbyWatch.PROBE_INTERVAL, transactions::endLongWaits);
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
