package io.solidus.dev.openid;

import java.util.List;
import java.util.Map;
import org.springframework.security.oauth2.core.oidc.endpoint.OidcParameterNames;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;

/** How a provider writes its tokens. */
public enum TokenShape {
  /** RFC 9068: header {@code at+jwt}, roles in one claim. */
  STANDARD("at+jwt"),

  /** Header {@code JWT}, the kind of token in {@code typ}, roles of the realm in an object. */
  KEYCLOAK("JWT"),

  /** Header {@code JWT}, roles in one claim, the client in {@code azp} of access tokens alone. */
  ENTRA("JWT");

  private final String accessTokenType;

  TokenShape(String accessTokenType) {
    this.accessTokenType = accessTokenType;
  }

  /** Writes roles and bank into access and ID tokens, as providers do that are asked to. */
  void write(JwtEncodingContext token, String audience, Account account) {
    List<String> roles = account.roles();
    boolean access = !OidcParameterNames.ID_TOKEN.equals(token.getTokenType().getValue());
    String client = token.getRegisteredClient().getClientId();
    token.getJwsHeader().type(access ? accessTokenType : "JWT");
    if (access) {
      token.getClaims().audience(List.of(audience));
    }
    token
        .getClaims()
        .claims(claims -> {
          if (account.bank() != null) {
            claims.put("bank", account.bank());
          }
          switch (this) {
            case STANDARD -> {
              claims.put("roles", roles);
              claims.put("client_id", client);
            }
            case KEYCLOAK -> {
              claims.put("realm_access", Map.of("roles", roles));
              claims.put("azp", client);
              claims.put("typ", access ? "Bearer" : "ID");
            }
            case ENTRA -> {
              claims.put("roles", roles);
              if (access) {
                claims.put("azp", client);
              } else {
                claims.remove("azp");
              }
            }
          }
        });
  }
}
