package io.solidus.operator.registration.tokens;

import io.solidus.operator.registration.RegistrationProperties;
import io.solidus.operator.registration.cases.CaseSubmissionService;
import io.solidus.operator.registration.person.PersonVault;
import io.solidus.platform.time.RepeatedJob;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import java.time.Clock;
import java.time.Duration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

@Configuration(proxyBeanMethods = false)
class TokensConfiguration {
  private static final Duration PAUSE = Duration.ofMinutes(10);
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(10);

  @Bean
  TokenService tokenService(
      NetworkId network,
      NoteSigner signer,
      JdbcClient jdbc,
      PersonVault vault,
      CaseSubmissionService cases,
      Clock clock,
      RegistrationProperties properties) {
    return new TokenService(
        network, signer, new TokenStore(jdbc, vault), cases, clock, properties.tokens());
  }

  @Bean
  @ConditionalOnProperty("solidus.registration.tokens.issuer")
  RepeatedJob tokenKeys(TokenService tokens) {
    return new RepeatedJob("token-keys", PAUSE, AFTER_FAILURE, tokens::refreshKeys);
  }
}
