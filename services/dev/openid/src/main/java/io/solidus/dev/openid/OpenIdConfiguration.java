package io.solidus.dev.openid;

import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configuration.OAuth2AuthorizationServerConfiguration;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.settings.AuthorizationServerSettings;
import org.springframework.security.oauth2.server.authorization.settings.ClientSettings;
import org.springframework.security.oauth2.server.authorization.settings.TokenSettings;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenCustomizer;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Spring Authorization Server with a login page. It has no auto-configuration besides the web
 * server's, so that it can share a JVM and its class path with services that have their own
 * security.
 */
@Configuration(proxyBeanMethods = false)
@EnableWebSecurity
@ImportAutoConfiguration({
  TomcatServletWebServerAutoConfiguration.class,
  DispatcherServletAutoConfiguration.class,
  WebMvcAutoConfiguration.class
})
class OpenIdConfiguration {
  /** People's program; it takes the answer from the address and opens no page there. */
  static final String REDIRECT = "http://127.0.0.1/callback";

  @Bean
  SecurityFilterChain security(HttpSecurity http) {
    return http.oauth2AuthorizationServer(server -> server.oidc(Customizer.withDefaults()))
        .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
        .formLogin(Customizer.withDefaults())
        .build();
  }

  @Bean
  RegisteredClientRepository clients(OpenIdSettings settings) {
    List<RegisteredClient> clients = new ArrayList<>();
    TokenSettings tokens =
        TokenSettings.builder().accessTokenTimeToLive(settings.validity()).build();
    clients.add(
        RegisteredClient.withId(UUID.randomUUID().toString())
            .clientId(settings.client())
            .clientAuthenticationMethod(ClientAuthenticationMethod.NONE)
            .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
            .redirectUri(REDIRECT)
            .scope("openid")
            .clientSettings(
                ClientSettings.builder()
                    .requireProofKey(true)
                    .requireAuthorizationConsent(false)
                    .build())
            .tokenSettings(tokens)
            .build());
    for (Account service : settings.services()) {
      clients.add(
          RegisteredClient.withId(UUID.randomUUID().toString())
              .clientId(service.name())
              .clientSecret("{noop}" + service.secret())
              .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
              .authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
              .tokenSettings(tokens)
              .build());
    }
    for (WebClient application : settings.webClients()) {
      clients.add(
          RegisteredClient.withId(UUID.randomUUID().toString())
              .clientId(application.id())
              .clientSecret("{noop}" + application.secret())
              .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
              .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
              .authorizationGrantType(AuthorizationGrantType.REFRESH_TOKEN)
              .redirectUri(application.redirectUri())
              .postLogoutRedirectUri(application.loggedOutUri())
              .scope("openid")
              .clientSettings(
                  ClientSettings.builder()
                      .requireProofKey(true)
                      .requireAuthorizationConsent(false)
                      .build())
              .tokenSettings(tokens)
              .build());
    }
    return new InMemoryRegisteredClientRepository(clients);
  }

  @Bean
  UserDetailsService people(OpenIdSettings settings) {
    List<UserDetails> people =
        settings.people().stream()
            .map(person ->
                User.withUsername(person.name()).password("{noop}" + person.secret()).build())
            .toList();
    return new InMemoryUserDetailsManager(people);
  }

  @Bean
  JWKSource<SecurityContext> keys(OpenIdSettings settings) {
    return new ImmutableJWKSet<>(new JWKSet(settings.key()));
  }

  @Bean
  JwtDecoder decoder(JWKSource<SecurityContext> keys) {
    return OAuth2AuthorizationServerConfiguration.jwtDecoder(keys);
  }

  @Bean
  AuthorizationServerSettings addresses() {
    return AuthorizationServerSettings.builder().build();
  }

  @Bean
  OAuth2TokenCustomizer<JwtEncodingContext> claims(OpenIdSettings settings) {
    return token -> {
      Authentication principal = Objects.requireNonNull(token.getPrincipal(), "principal");
      settings.shape().write(token, settings.audience(), settings.account(principal.getName()));
    };
  }
}
