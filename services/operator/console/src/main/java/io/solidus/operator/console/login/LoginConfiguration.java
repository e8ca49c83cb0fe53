package io.solidus.operator.console.login;

import com.nimbusds.jwt.JWTParser;
import io.solidus.operator.console.ConsoleProperties;
import io.solidus.platform.security.RoleClaims;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.converter.FormHttpMessageConverter;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientManager;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientProviderBuilder;
import org.springframework.security.oauth2.client.endpoint.AbstractRestClientOAuth2AccessTokenResponseClient;
import org.springframework.security.oauth2.client.endpoint.OAuth2AccessTokenResponseClient;
import org.springframework.security.oauth2.client.endpoint.OAuth2AuthorizationCodeGrantRequest;
import org.springframework.security.oauth2.client.endpoint.OAuth2RefreshTokenGrantRequest;
import org.springframework.security.oauth2.client.endpoint.RestClientAuthorizationCodeTokenResponseClient;
import org.springframework.security.oauth2.client.endpoint.RestClientRefreshTokenTokenResponseClient;
import org.springframework.security.oauth2.client.http.OAuth2ErrorResponseErrorHandler;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserRequest;
import org.springframework.security.oauth2.client.oidc.web.logout.OidcClientInitiatedLogoutSuccessHandler;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.ClientRegistrations;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.SupplierClientRegistrationRepository;
import org.springframework.security.oauth2.client.userinfo.OAuth2UserService;
import org.springframework.security.oauth2.client.web.DefaultOAuth2AuthorizedClientManager;
import org.springframework.security.oauth2.client.web.HttpSessionOAuth2AuthorizedClientRepository;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizedClientRepository;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.http.converter.OAuth2AccessTokenResponseHttpMessageConverter;
import org.springframework.security.oauth2.core.oidc.user.DefaultOidcUser;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.context.SecurityContextHolderFilter;
import org.springframework.security.web.header.writers.CrossOriginEmbedderPolicyHeaderWriter.CrossOriginEmbedderPolicy;
import org.springframework.security.web.header.writers.CrossOriginOpenerPolicyHeaderWriter.CrossOriginOpenerPolicy;
import org.springframework.security.web.header.writers.CrossOriginResourcePolicyHeaderWriter.CrossOriginResourcePolicy;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;
import org.springframework.web.client.RestClient;

/** Security of the console: login by authorization code with a proof key, one session a login. */
@Configuration(proxyBeanMethods = false)
@EnableWebSecurity
class LoginConfiguration {
  static final String PROVIDER = "console";

  private static final Logger log = LoggerFactory.getLogger(LoginConfiguration.class);
  private static final String CALLBACK = "/login/oauth2/code/" + PROVIDER;
  private static final String LOGGED_OUT = "/logged-out";
  private static final String FAILED = "/login-failed";
  private static final Duration PROVIDER_TIMEOUT = Duration.ofSeconds(10);

  /** Whoever has not logged in yet keeps a session only as long as a login takes. */
  private static final int STRANGERS_SESSION_SECONDS = 600;

  /** Probes and metrics, as in every service: no session, no page. */
  @Bean
  @Order(1)
  SecurityFilterChain probes(HttpSecurity http) {
    return http.securityMatcher("/actuator/health/**", "/actuator/info", "/actuator/prometheus")
        .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
        .sessionManagement(
            session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        .csrf(AbstractHttpConfigurer::disable)
        .requestCache(AbstractHttpConfigurer::disable)
        .headers(headers ->
            headers.contentSecurityPolicy(csp -> csp.policyDirectives("default-src 'none'")))
        .build();
  }

  @Bean
  @Order(2)
  SecurityFilterChain pages(
      HttpSecurity http,
      ConsoleProperties properties,
      ClientRegistrationRepository provider,
      OAuth2AuthorizedClientRepository clients,
      Clock clock) {
    return http.authorizeHttpRequests(requests ->
            requests
                .dispatcherTypeMatchers(DispatcherType.ERROR)
                .permitAll()
                .requestMatchers("/assets/**", LOGGED_OUT, FAILED)
                .permitAll()
                .anyRequest()
                .authenticated())
        .oauth2Login(login ->
            login
                .loginPage(ReturnPath.LOGIN)
                .authorizedClientRepository(clients)
                .tokenEndpoint(token -> token.accessTokenResponseClient(codes()))
                .userInfoEndpoint(user -> user.oidcUserService(people(properties.login())))
                .successHandler((request, response, person) -> {
                  request
                      .getSession()
                      .setMaxInactiveInterval((int) properties.longest().toSeconds());
                  SessionDeadlines.begin(request.getSession(), clock.instant());
                  response.sendRedirect(ReturnPath.take(request.getSession()));
                })
                .failureHandler(LoginConfiguration::failed))
        .logout(logout ->
            logout
                .logoutSuccessHandler(endAtProvider(properties, provider))
                .invalidateHttpSession(true))
        .addFilterAfter(new SessionDeadlines(properties, clock), SecurityContextHolderFilter.class)
        .exceptionHandling(handling ->
            handling
                .authenticationEntryPoint((request, response, reason) ->
                    ReturnPath.toLogin(request, response, STRANGERS_SESSION_SECONDS))
                .accessDeniedHandler(LoginConfiguration::denied))
        .requestCache(AbstractHttpConfigurer::disable)
        .formLogin(AbstractHttpConfigurer::disable)
        .httpBasic(AbstractHttpConfigurer::disable)
        .headers(headers ->
            headers
                .contentSecurityPolicy(csp -> csp.policyDirectives(policy(properties.login())))
                .referrerPolicy(referrer -> referrer.policy(ReferrerPolicy.SAME_ORIGIN))
                .permissionsPolicyHeader(permissions ->
                    permissions.policy("camera=(), geolocation=(), microphone=(), usb=()"))
                .crossOriginOpenerPolicy(own -> own.policy(CrossOriginOpenerPolicy.SAME_ORIGIN))
                .crossOriginEmbedderPolicy(
                    own -> own.policy(CrossOriginEmbedderPolicy.REQUIRE_CORP))
                .crossOriginResourcePolicy(
                    own -> own.policy(CrossOriginResourcePolicy.SAME_ORIGIN)))
        .build();
  }

  /**
   * Nothing but what the console serves. Forms also lead to the provider: the end of a session, and
   * a form that finds its session ended, go on there, and browsers hold redirects of a form to this
   * rule.
   */
  private static String policy(ConsoleProperties.Login login) {
    URI issuer = URI.create(login.issuerUri());
    String origin = issuer.getScheme() + "://" + issuer.getAuthority();
    return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        + "connect-src 'self'; form-action 'self' "
        + origin
        + "; frame-ancestors 'none'; base-uri 'none'";
  }

  private static void failed(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException failure)
      throws IOException {
    log.warn(
        "a login failed: {}",
        failure instanceof OAuth2AuthenticationException known
            ? known.getError().getErrorCode()
            : failure.getClass().getSimpleName());
    response.sendRedirect(FAILED);
  }

  /** A form without the session's token: of an ended session, or of another site. */
  private static void denied(
      HttpServletRequest request, HttpServletResponse response, AccessDeniedException reason)
      throws IOException {
    Authentication login = SecurityContextHolder.getContext().getAuthentication();
    if (login == null || !(login.getPrincipal() instanceof OidcUser)) {
      if (request.getRequestURI().equals("/logout")) {
        response.sendRedirect(LOGGED_OUT);
        return;
      }
      ReturnPath.toLogin(request, response, STRANGERS_SESSION_SECONDS);
    } else {
      response.sendError(HttpServletResponse.SC_FORBIDDEN);
    }
  }

  private static OidcClientInitiatedLogoutSuccessHandler endAtProvider(
      ConsoleProperties properties, ClientRegistrationRepository provider) {
    OidcClientInitiatedLogoutSuccessHandler handler =
        new OidcClientInitiatedLogoutSuccessHandler(provider);
    handler.setPostLogoutRedirectUri(properties.publicUrl() + LOGGED_OUT);
    handler.setDefaultTargetUrl(LOGGED_OUT);
    return handler;
  }

  /** Found at the first login, so that the console starts while its provider is away. */
  @Bean
  ClientRegistrationRepository provider(ConsoleProperties properties) {
    return new SupplierClientRegistrationRepository(
        () -> new InMemoryClientRegistrationRepository(registration(properties)));
  }

  private static ClientRegistration registration(ConsoleProperties properties) {
    ConsoleProperties.Login login = properties.login();
    return ClientRegistrations.fromIssuerLocation(login.issuerUri())
        .registrationId(PROVIDER)
        .clientId(login.clientId())
        .clientSecret(secret(login.clientSecretFile()))
        .scope(login.scopes())
        .redirectUri(properties.publicUrl() + CALLBACK)
        .clientSettings(ClientRegistration.ClientSettings.builder().requireProofKey(true).build())
        .build();
  }

  private static String secret(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("solidus.console.login.client-secret-file cannot be read", e);
    }
  }

  /** Tokens are in the session and end with it. */
  @Bean
  OAuth2AuthorizedClientRepository clients() {
    return new HttpSessionOAuth2AuthorizedClientRepository();
  }

  @Bean
  OAuth2AuthorizedClientManager clientManager(
      ClientRegistrationRepository provider,
      OAuth2AuthorizedClientRepository clients,
      Clock clock) {
    DefaultOAuth2AuthorizedClientManager manager =
        new DefaultOAuth2AuthorizedClientManager(provider, clients);
    manager.setAuthorizedClientProvider(
        OAuth2AuthorizedClientProviderBuilder.builder()
            .refreshToken(refresh -> refresh.clock(clock).accessTokenResponseClient(refreshes()))
            .build());
    return manager;
  }

  private static OAuth2AccessTokenResponseClient<OAuth2AuthorizationCodeGrantRequest> codes() {
    return limited(new RestClientAuthorizationCodeTokenResponseClient());
  }

  private static OAuth2AccessTokenResponseClient<OAuth2RefreshTokenGrantRequest> refreshes() {
    return limited(new RestClientRefreshTokenTokenResponseClient());
  }

  private static <C extends AbstractRestClientOAuth2AccessTokenResponseClient<?>> C limited(
      C client) {
    JdkClientHttpRequestFactory calls =
        new JdkClientHttpRequestFactory(
            HttpClient.newBuilder().connectTimeout(PROVIDER_TIMEOUT).build());
    calls.setReadTimeout(PROVIDER_TIMEOUT);
    client.setRestClient(
        RestClient.builder()
            .requestFactory(calls)
            .configureMessageConverters(converters ->
                converters
                    .addCustomConverter(new FormHttpMessageConverter())
                    .addCustomConverter(new OAuth2AccessTokenResponseHttpMessageConverter()))
            .defaultStatusHandler(new OAuth2ErrorResponseErrorHandler())
            .build());
    return client;
  }

  /** The roles are read as the services read them, from the access token where it can be read. */
  private static OAuth2UserService<OidcUserRequest, OidcUser> people(
      ConsoleProperties.Login login) {
    RoleClaims roles = new RoleClaims(login.roleClaims());
    return request -> {
      Collection<GrantedAuthority> authorities =
          roles.roles(claims(request)).stream()
              .<GrantedAuthority>map(role -> new SimpleGrantedAuthority("ROLE_" + role))
              .toList();
      return new DefaultOidcUser(authorities, request.getIdToken());
    };
  }

  private static Map<String, Object> claims(OidcUserRequest request) {
    try {
      return Objects.requireNonNull(
              JWTParser.parse(request.getAccessToken().getTokenValue()).getJWTClaimsSet())
          .getClaims();
    } catch (ParseException opaque) {
      return request.getIdToken().getClaims();
    }
  }
}
