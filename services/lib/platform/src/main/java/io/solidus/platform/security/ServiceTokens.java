package io.solidus.platform.security;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.jwt.Jwt;

/**
 * Tells tokens of services (client credentials) from those of people. Nothing in a token says so in
 * one way, so each provider's way counts.
 */
final class ServiceTokens {
  /** Claims that name the client; RFC 9068 makes it the subject where there is no person. */
  private static final List<String> CLIENTS =
      List.of("client_id", "azp", "appid", "clientId", "cid");

  /** Keycloak's account of a client. */
  private static final String KEYCLOAK_ACCOUNT = "service-account-";

  private ServiceTokens() {}

  /** Whether a service got this token for itself. */
  static boolean isOfService(Jwt token) {
    Map<String, Object> claims = token.getClaims();
    String subject = token.getSubject();
    return CLIENTS.stream().anyMatch(name -> same(subject, claims.get(name)))
        || "client-credentials".equals(claims.get("gty")) // Auth0
        || text(claims.get("preferred_username")).startsWith(KEYCLOAK_ACCOUNT)
        || isOfEntraApplication(claims);
  }

  /**
   * Entra writes {@code idtyp} only when it is told to. A token for a person always has {@code
   * scp}, and an application's subject is its object id.
   */
  private static boolean isOfEntraApplication(Map<String, Object> claims) {
    return "app".equals(claims.get("idtyp"))
        || same(text(claims.get("sub")), claims.get("oid"))
        || (claims.containsKey("tid") && !claims.containsKey("scp"));
  }

  private static boolean same(@Nullable String subject, @Nullable Object other) {
    return Operator.samePerson(subject, other instanceof String text ? text : null);
  }

  private static String text(@Nullable Object claim) {
    return claim instanceof String text ? text : "";
  }
}
