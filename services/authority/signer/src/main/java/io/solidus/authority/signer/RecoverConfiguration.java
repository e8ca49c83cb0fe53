package io.solidus.authority.signer;

import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.authority.common.DurabilityProperties;
import io.solidus.authority.common.SignerSchema;
import io.solidus.authority.signer.log.LogRecovery;
import io.solidus.networkkeys.NetworkProperties;
import io.solidus.protocol.NetworkId;
import java.time.Clock;
import javax.sql.DataSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The beans of the recovery command, from the configuration of a signer. It does not read the key
 * share.
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
   * Durable like every write of the authority: a failover could lose recovered rows a second time.
   */
  @Bean
  AuthorityDatabase authorityDatabase(DataSource database, DurabilityProperties properties) {
    return AuthorityDatabase.open(database, properties.transactions(database));
  }

  @Bean
  LogRecovery logRecovery(
      DataSource dataSource,
      AuthorityDatabase database,
      NetworkProperties network,
      SignerProperties properties) {
    SignerSchema.migrate(dataSource);
    return new LogRecovery(
        new NetworkId(network.id()),
        properties.authority(),
        database,
        properties.anchorFile(),
        Clock.systemUTC());
  }
}
