package io.solidus.operator.console.login;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.client.OAuth2AuthorizeRequest;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientManager;
import org.springframework.security.oauth2.core.OAuth2AuthorizationException;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.stereotype.Component;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.util.WebUtils;

/** The person of the current request, and her access token. */
@Component
public final class Persons {
  private static final Duration JUST_NOW = Duration.ofSeconds(15);

  private final OAuth2AuthorizedClientManager clients;
  private final Clock clock;

  Persons(OAuth2AuthorizedClientManager clients, Clock clock) {
    this.clients = clients;
    this.clock = clock;
  }

  /** Who is logged in; empty for a page that needs no login. */
  public Optional<Person> current() {
    return login().map(Person::of);
  }

  /**
   * Her access token, renewed when it is about to end.
   *
   * @throws LoginNeededException when it cannot be renewed
   */
  public String accessToken() {
    Authentication login = login().orElseThrow(LoginNeededException::new);
    HttpServletRequest request =
        ((ServletRequestAttributes) RequestContextHolder.currentRequestAttributes()).getRequest();
    // one renewal at a time, because a refresh token may work once only
    synchronized (WebUtils.getSessionMutex(request.getSession())) {
      OAuth2AuthorizedClient client = client(login);
      Instant end = client == null ? null : client.getAccessToken().getExpiresAt();
      if (client == null || (end != null && !end.isAfter(clock.instant()))) {
        throw new LoginNeededException();
      }
      return client.getAccessToken().getTokenValue();
    }
  }

  /** Whether she logged in so recently that another login would change nothing. */
  public boolean loggedInJustNow() {
    return login()
        .map(Authentication::getPrincipal)
        .filter(OidcUser.class::isInstance)
        .map(user -> ((OidcUser) user).getIssuedAt())
        .filter(at -> at.plus(JUST_NOW).isAfter(clock.instant()))
        .isPresent();
  }

  private @Nullable OAuth2AuthorizedClient client(Authentication login) {
    try {
      return clients.authorize(
          OAuth2AuthorizeRequest.withClientRegistrationId(LoginConfiguration.PROVIDER)
              .principal(login)
              .build());
    } catch (OAuth2AuthorizationException ended) {
      throw new LoginNeededException();
    }
  }

  private static Optional<Authentication> login() {
    return Optional.ofNullable(SecurityContextHolder.getContext().getAuthentication())
        .filter(login -> login.getPrincipal() instanceof OidcUser);
  }
}
