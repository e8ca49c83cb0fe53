package io.solidus.operator.console.login;

import com.nimbusds.jwt.JWTParser;
import io.solidus.operator.console.ConsoleProperties;
import io.solidus.platform.bank.BankProperties;
import io.solidus.platform.bank.Banks;
import io.solidus.platform.security.BankClaim;
import io.solidus.platform.security.RoleClaims;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.converter.FormHttpMessageConverter;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.Authentication;
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
import org.springframework.security.oauth2.client.oidc.authentication.OidcIdTokenDecoderFactory;
import org.springframework.security.oauth2.client.oidc.authentication.OidcIdTokenValidator;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserRequest;
import org.springframework.security.oauth2.client.oidc.web.logout.OidcClientInitiatedLogoutSuccessHandler;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.userinfo.OAuth2UserService;
import org.springframework.security.oauth2.client.web.DefaultOAuth2AuthorizedClientManager;
import org.springframework.security.oauth2.client.web.HttpSessionOAuth2AuthorizedClientRepository;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestRedirectFilter;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizedClientRepository;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.core.converter.ClaimTypeConverter;
import org.springframework.security.oauth2.core.http.converter.OAuth2AccessTokenResponseHttpMessageConverter;
import org.springframework.security.oauth2.core.oidc.user.DefaultOidcUser;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtDecoderFactory;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.context.SecurityContextHolderFilter;
import org.springframework.security.web.header.writers.CrossOriginEmbedderPolicyHeaderWriter.CrossOriginEmbedderPolicy;
import org.springframework.security.web.header.writers.CrossOriginOpenerPolicyHeaderWriter.CrossOriginOpenerPolicy;
import org.springframework.security.web.header.writers.CrossOriginResourcePolicyHeaderWriter.CrossOriginResourcePolicy;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/** Security of the console: login by authorization code with a proof key, one session a login. */
@Configuration(proxyBeanMethods = false)
@EnableWebSecurity
class LoginConfiguration {
  static final String PROVIDER = Provider.ID;

  private static final String CALLBACK = "/login/oauth2/code/" + PROVIDER;
  private static final String LOGGED_OUT = "/logged-out";

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
      BankClaim banks,
      Clock clock) {
    return http.authorizeHttpRequests(requests ->
            requests
                .dispatcherTypeMatchers(DispatcherType.ERROR)
                .permitAll()
                .requestMatchers("/assets/**", LOGGED_OUT)
                .permitAll()
                .anyRequest()
                .authenticated())
        .oauth2Login(login ->
            login
                .loginPage(ReturnPath.LOGIN)
                .authorizedClientRepository(clients)
                .tokenEndpoint(token -> token.accessTokenResponseClient(codes(properties)))
                .userInfoEndpoint(user -> user.oidcUserService(people(properties.login(), banks)))
                .successHandler((request, response, person) -> {
                  request
                      .getSession()
                      .setMaxInactiveInterval((int) properties.longest().toSeconds());
                  SessionDeadlines.begin(request.getSession(), clock.instant());
                  response.sendRedirect(ReturnPath.take(request.getSession()));
                })
                .failureHandler(LoginFailure::answer)
                .withObjectPostProcessor(
                    new ObjectPostProcessor<OAuth2AuthorizationRequestRedirectFilter>() {
                      @Override
                      public <F extends OAuth2AuthorizationRequestRedirectFilter> F postProcess(
                          F filter) {
                        filter.setAuthenticationFailureHandler(LoginFailure::answer);
                        return filter;
                      }
                    }))
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

  @Bean
  Provider provider(ConsoleProperties properties) {
    return new Provider(properties, properties.publicUrl() + CALLBACK);
  }

  /** Where the bank of a bank's staff is in their tokens. */
  @Bean
  BankClaim bankClaim(Banks banks, BankProperties known, ConsoleProperties properties) {
    return new BankClaim(banks, known.central(), properties.login().bankClaim());
  }

  /** Verifies ID tokens as Spring Security does, with a deadline for the provider's keys. */
  @Bean
  JwtDecoderFactory<ClientRegistration> idTokens(ConsoleProperties properties) {
    Map<String, JwtDecoder> decoders = new ConcurrentHashMap<>();
    return registration ->
        decoders.computeIfAbsent(
            Objects.requireNonNull(registration.getProviderDetails().getJwkSetUri()),
            keys -> decoder(keys, registration, properties));
  }

  private static JwtDecoder decoder(
      String keys, ClientRegistration registration, ConsoleProperties properties) {
    NimbusJwtDecoder decoder =
        NimbusJwtDecoder.withJwkSetUri(keys)
            .jwsAlgorithm(SignatureAlgorithm.RS256)
            .restOperations(new RestTemplate(calls(properties)))
            .build();
    decoder.setClaimSetConverter(
        new ClaimTypeConverter(OidcIdTokenDecoderFactory.createDefaultClaimTypeConverters()));
    decoder.setJwtValidator(
        JwtValidators.createDefaultWithValidators(
            List.<OAuth2TokenValidator<Jwt>>of(new OidcIdTokenValidator(registration))));
    return decoder;
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
      ConsoleProperties properties,
      Clock clock) {
    DefaultOAuth2AuthorizedClientManager manager =
        new DefaultOAuth2AuthorizedClientManager(provider, clients);
    manager.setAuthorizedClientProvider(
        OAuth2AuthorizedClientProviderBuilder.builder()
            .refreshToken(
                refresh -> refresh.clock(clock).accessTokenResponseClient(refreshes(properties)))
            .build());
    return manager;
  }

  private static OAuth2AccessTokenResponseClient<OAuth2AuthorizationCodeGrantRequest> codes(
      ConsoleProperties properties) {
    return limited(new RestClientAuthorizationCodeTokenResponseClient(), properties);
  }

  private static OAuth2AccessTokenResponseClient<OAuth2RefreshTokenGrantRequest> refreshes(
      ConsoleProperties properties) {
    return limited(new RestClientRefreshTokenTokenResponseClient(), properties);
  }

  private static <C extends AbstractRestClientOAuth2AccessTokenResponseClient<?>> C limited(
      C client, ConsoleProperties properties) {
    client.setRestClient(
        RestClient.builder()
            .requestFactory(calls(properties))
            .configureMessageConverters(converters ->
                converters
                    .addCustomConverter(new FormHttpMessageConverter())
                    .addCustomConverter(new OAuth2AccessTokenResponseHttpMessageConverter()))
            .defaultStatusHandler(new OAuth2ErrorResponseErrorHandler())
            .build());
    return client;
  }

  private static JdkClientHttpRequestFactory calls(ConsoleProperties properties) {
    Duration limit = properties.login().timeout();
    JdkClientHttpRequestFactory calls =
        new JdkClientHttpRequestFactory(HttpClient.newBuilder().connectTimeout(limit).build());
    calls.setReadTimeout(limit);
    return calls;
  }

  /**
   * Roles and bank are read as the services read them, from the access token where it can be read.
   * A bank that the platform lacks leaves no roles: the services refuse everything.
   */
  private static OAuth2UserService<OidcUserRequest, OidcUser> people(
      ConsoleProperties.Login login, BankClaim banks) {
    RoleClaims roles = new RoleClaims(login.roleClaims());
    return request -> {
      Map<String, Object> claims = claims(request);
      List<GrantedAuthority> authorities = new ArrayList<>();
      banks
          .scope(claims)
          .ifPresent(scope -> {
            for (String role : roles.roles(claims)) {
              authorities.add(new SimpleGrantedAuthority(Person.ROLE + role));
            }
            if (!scope.isEvery()) {
              authorities.add(new SimpleGrantedAuthority(Person.BANK + scope.id()));
            }
          });
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
