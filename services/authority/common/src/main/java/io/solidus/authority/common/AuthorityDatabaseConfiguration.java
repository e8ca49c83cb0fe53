package io.solidus.authority.common;

import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The database of shards and signer. */
@Configuration(proxyBeanMethods = false)
@Import(DurabilityConfiguration.class)
public class AuthorityDatabaseConfiguration {

  @Bean
  AuthorityDatabase authorityDatabase(DataSource database, DurableTransactions transactions) {
    return AuthorityDatabase.open(database, transactions);
  }
}
