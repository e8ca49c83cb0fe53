package io.solidus.platform.security;

import jakarta.servlet.DispatcherType;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationConverter;
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
    after = io.solidus.platform.time.ClockAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@EnableConfigurationProperties(SecurityProperties.class)
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
  SecurityFilterChain adminSecurity(HttpSecurity http, JsonMapper json, JwtDecoder decoder) {
    ProblemSecurityHandlers problems = new ProblemSecurityHandlers(json);
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
                .jwt(jwt -> jwt.decoder(decoder).jwtAuthenticationConverter(converter()))
                .authenticationEntryPoint(problems)
                .accessDeniedHandler(problems))
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

  private static JwtAuthenticationConverter converter() {
    JwtAuthenticationConverter converter = new JwtAuthenticationConverter();
    converter.setJwtGrantedAuthoritiesConverter(AdminSecurityAutoConfiguration::authorities);
    return converter;
  }

  /** Only roles that are in {@link Roles}; a claim of another type yields no role. */
  private static Collection<GrantedAuthority> authorities(Jwt token) {
    Object roles = token.getClaim("roles");
    if (!(roles instanceof Collection<?> names)) {
      return List.of();
    }
    return names.stream()
        .filter(Roles.ALL::contains)
        .<GrantedAuthority>map(role -> new SimpleGrantedAuthority("ROLE_" + role))
        .toList();
  }
}
