package io.solidus.authority.signer;

import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.authority.common.DurabilityProperties;
import io.solidus.authority.common.DurableTransactions;
import io.solidus.authority.signer.log.LogRecovery;
import io.solidus.networkkeys.NetworkProperties;
import io.solidus.protocol.NetworkId;
import java.time.Clock;
import javax.sql.DataSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Puts the command that recovers from the sign-log together, from a signer's configuration. The key
 * share is not read.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({
  NetworkProperties.class,
  SignerProperties.class,
  RecoverProperties.class,
  DurabilityProperties.class
})
public class RecoverConfiguration {

  /**
   * As durable as everything the authority writes: a recovered row that a failover loses would be
   * lost a second time.
   */
  @Bean
  AuthorityDatabase authorityDatabase(DataSource database, DurabilityProperties properties) {
    return AuthorityDatabase.open(
        database,
        new DurableTransactions(
            database, properties.synchronousStandbys(), properties.durabilityRecheck()));
  }

  @Bean
  LogRecovery logRecovery(
      AuthorityDatabase database, NetworkProperties network, SignerProperties properties) {
    return new LogRecovery(
        new NetworkId(network.id()),
        properties.authority(),
        database,
        properties.anchorFile(),
        Clock.systemUTC());
  }
}
