package io.solidus.platform.security;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;

/**
 * What an access token must say besides its signature: expiry, audience, subject, and that it is an
 * access token. An OpenID provider signs ID tokens with the same key; they go to every client that
 * a person logs in to, so they must not open this API.
 */
final class AccessTokenRules {
  /** At most 255 ASCII characters, as OpenID Connect has it. Subjects are compared exactly. */
  private static final Pattern SUBJECT =
      Pattern.compile("[\\x21-\\x7e]([\\x20-\\x7e]{0,253}[\\x21-\\x7e])?");

  private static final String ACCESS_TOKEN = "at+jwt";
  private static final List<String> OF_ID_TOKENS = List.of("nonce", "at_hash", "c_hash", "s_hash");

  /** Claims that name the client. An ID token is for its client; an access token is not. */
  private static final List<String> CLIENTS = List.of("client_id", "azp", "appid");

  /** Claims that say what a client may do. */
  private static final List<String> SCOPES = List.of("scope", "scp");

  private static final OAuth2TokenValidatorResult VALID = OAuth2TokenValidatorResult.success();
  private static final OAuth2TokenValidatorResult NO_ACCESS_TOKEN =
      OAuth2TokenValidatorResult.failure(
          new OAuth2Error("invalid_token", "the token is no access token", null));

  /** How much clocks may differ, as in the checks of exp and nbf. */
  private static final Duration SKEW = Duration.ofMinutes(1);

  private AccessTokenRules() {}

  static OAuth2TokenValidator<Jwt> of(SecurityProperties properties, Clock clock) {
    JwtTimestampValidator timestamps = new JwtTimestampValidator();
    timestamps.setClock(clock);
    Set<String> types =
        properties.tokenTypes().stream()
            .map(AccessTokenRules::type)
            .collect(Collectors.toUnmodifiableSet());
    return new DelegatingOAuth2TokenValidator<>(
        timestamps,
        new JwtClaimValidator<List<String>>(
            "aud", value -> value != null && value.contains(properties.audience())),
        new JwtClaimValidator<String>(
            "sub",
            value ->
                value != null
                    && SUBJECT.matcher(value).matches()
                    && !Operator.folded(value).startsWith(Operator.SYSTEM)),
        new JwtClaimValidator<Instant>(
            "exp",
            end ->
                end != null
                    && !end.isAfter(clock.instant().plus(properties.longestLife()).plus(SKEW))),
        // a token is no older than it says, and not from a later time
        new JwtClaimValidator<Instant>(
            "iat", issued -> issued == null || !issued.isAfter(clock.instant().plus(SKEW))),
        token -> isAccessToken(token, types, properties.audience()) ? VALID : NO_ACCESS_TOKEN);
  }

  private static boolean isAccessToken(Jwt token, Set<String> types, String audience) {
    String type = type(token.getHeaders().get("typ"));
    if (!types.contains(type) || OF_ID_TOKENS.stream().anyMatch(token::hasClaim)) {
      return false;
    }
    // Keycloak writes Bearer into access tokens, and ID, Refresh or Logout into others
    Object kind = token.getClaim("typ");
    if (kind != null && !"Bearer".equals(kind)) {
      return false;
    }
    if (type.equals(ACCESS_TOKEN)) {
      return true;
    }
    return CLIENTS.stream().noneMatch(name -> audience.equals(token.getClaims().get(name)))
        && Stream.concat(CLIENTS.stream(), SCOPES.stream()).anyMatch(token::hasClaim);
  }

  private static String type(@Nullable Object header) {
    String text = header == null ? "" : header.toString().toLowerCase(Locale.ROOT);
    return text.startsWith("application/") ? text.substring("application/".length()) : text;
  }
}
