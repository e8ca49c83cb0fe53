package io.solidus.authority.signer;

import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.authority.common.SignerSchema;
import io.solidus.authority.signer.log.LogAudit;
import io.solidus.authority.signer.log.SignedCores;
import io.solidus.authority.signer.log.SpentRows;
import javax.sql.DataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The sign-log, with its health and its meters. */
@Configuration(proxyBeanMethods = false)
class SignLogConfiguration {

  @Bean
  SpentRows spentRows(AuthorityDatabase database) {
    return new SpentRows(database.jdbc());
  }

  @Bean
  SignedCores signedCores(AuthorityDatabase database) {
    return new SignedCores(database.jdbc());
  }

  @Bean
  SignLogSupervisor signLogSupervisor(
      DataSource dataSource,
      AuthorityDatabase database,
      SignerProperties properties,
      SignerNetwork network) {
    SignerSchema.migrate(dataSource);
    LogAudit audit =
        new LogAudit(
            network.id(),
            properties.authority(),
            database,
            properties.anchorFile(),
            properties.wholeAudit());
    return new SignLogSupervisor(audit, properties.signLog());
  }

  @Bean
  SignerHealth signerHealth(SignLogSupervisor signLog) {
    return new SignerHealth(signLog);
  }

  @Bean
  SignLogGauges signLogGauges(SignLogSupervisor signLog) {
    return new SignLogGauges(signLog);
  }

  @Bean
  SignLogDiskGauges signLogDiskGauges(SignerProperties properties) {
    return new SignLogDiskGauges(properties.signLog());
  }
}
