package io.solidus.platform.security;

import io.solidus.platform.bank.BankProperties;
import io.solidus.platform.bank.Banks;
import jakarta.servlet.DispatcherType;
import java.time.Clock;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationConverter;
import org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationFilter;
import org.springframework.security.web.SecurityFilterChain;
import tools.jackson.databind.json.JsonMapper;

/**
 * Security of REST services. Paths under /admin require an access token, and each method there its
 * role. Paths under /v1 are for wallets, which are never identified: a token sent there is not
 * read. There is no session and no cookie, so no CSRF token is needed.
 */
@AutoConfiguration(
    beforeName = {
      "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
      "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration"
    },
    afterName = "io.solidus.platform.bank.BankAutoConfiguration",
    after = io.solidus.platform.time.ClockAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@EnableConfigurationProperties({SecurityProperties.class, ServiceClientProperties.class})
@EnableWebSecurity
@EnableMethodSecurity
public class AdminSecurityAutoConfiguration {
  private static final String[] ANONYMOUS = {
    "/v1/**",
    "/v3/api-docs/**",
    "/v3/api-docs.yaml",
    "/swagger-ui/**",
    "/swagger-ui.html",
    "/actuator/health/**",
    "/actuator/info",
    "/actuator/prometheus"
  };

  @Bean
  @ConditionalOnMissingBean
  JwtDecoder jwtDecoder(SecurityProperties properties, Clock clock) {
    return TokenDecoders.decoder(properties, clock);
  }

  /** This service's own access tokens, if it has a client id. */
  @Bean(destroyMethod = "close")
  @ConditionalOnProperty("solidus.service-client.id")
  ClientCredentials serviceToken(
      ServiceClientProperties client, SecurityProperties properties, Clock clock) {
    return new ClientCredentials(
        new OpenIdProvider(properties.issuerUri(), client.timeout()), client, clock);
  }

  @Bean
  @Order(1)
  SecurityFilterChain anonymousSecurity(HttpSecurity http, JsonMapper json) {
    return stateless(http, new ProblemSecurityHandlers(json))
        .securityMatcher(ANONYMOUS)
        .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
        .build();
  }

  @Bean
  @Order(2)
  @ConditionalOnMissingBean(name = "adminSecurity")
  SecurityFilterChain adminSecurity(
      HttpSecurity http,
      JsonMapper json,
      JwtDecoder decoder,
      SecurityProperties properties,
      Banks banks,
      BankProperties bankProperties) {
    StaffBank staffBank =
        new StaffBank(banks, bankProperties.central(), properties.bankClaim(), json);
    ProblemSecurityHandlers problems = new ProblemSecurityHandlers(json);
    RoleClaims roles = new RoleClaims(properties.roleClaims());
    return stateless(http, problems)
        .authorizeHttpRequests(requests ->
            requests
                .dispatcherTypeMatchers(DispatcherType.ERROR, DispatcherType.ASYNC)
                .permitAll()
                .requestMatchers("/admin/**")
                .authenticated()
                .anyRequest()
                .denyAll())
        .oauth2ResourceServer(server ->
            server
                .jwt(jwt -> jwt.decoder(decoder).jwtAuthenticationConverter(converter(roles)))
                .authenticationEntryPoint(problems)
                .accessDeniedHandler(problems)
                .withObjectPostProcessor(failures(problems)))
        .addFilterAfter(new AuditorReads(), BearerTokenAuthenticationFilter.class)
        .addFilterAfter(staffBank, BearerTokenAuthenticationFilter.class)
        .build();
  }

  private static HttpSecurity stateless(HttpSecurity http, ProblemSecurityHandlers problems) {
    return http.csrf(AbstractHttpConfigurer::disable)
        .sessionManagement(
            session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        .requestCache(AbstractHttpConfigurer::disable)
        .formLogin(AbstractHttpConfigurer::disable)
        .httpBasic(AbstractHttpConfigurer::disable)
        .logout(AbstractHttpConfigurer::disable)
        .exceptionHandling(
            handling -> handling.authenticationEntryPoint(problems).accessDeniedHandler(problems));
  }

  private static JwtAuthenticationConverter converter(RoleClaims roles) {
    JwtAuthenticationConverter converter = new JwtAuthenticationConverter();
    converter.setJwtGrantedAuthoritiesConverter(roles::authorities);
    return converter;
  }

  /** Gives the filter the handler that tells an absent issuer from a bad token. */
  private static ObjectPostProcessor<BearerTokenAuthenticationFilter> failures(
      ProblemSecurityHandlers problems) {
    return new ObjectPostProcessor<>() {
      @Override
      public <T extends BearerTokenAuthenticationFilter> T postProcess(T filter) {
        filter.setAuthenticationFailureHandler(problems);
        return filter;
      }
    };
  }
}
