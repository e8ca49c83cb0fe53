package io.solidus.platform.security;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The issuer of the operators' tokens: either a public key (PEM) or an OpenID provider.
 *
 * @param publicKey PEM of an RSA or EC key; empty when an issuer is given
 * @param issuerUri of the OpenID provider; empty when a key is given
 * @param audience the tokens' audience; a name of this API, never a client's
 * @param tokenTypes accepted values of the header {@code typ}, without {@code application/}.
 *     Keycloak and Entra write {@code JWT}
 * @param roleClaims where the roles are: names of claims, or paths with dots such as {@code
 *     realm_access.roles}
 * @param bankClaim where the bank of a bank's staff is: name of a claim, or path with dots
 * @param issuerTimeout of a whole call of the OpenID provider
 * @param longestLife how far ahead a token's end may be; one that does not end cannot be taken back
 */
@ConfigurationProperties("solidus.security.jwt")
public record SecurityProperties(
    @DefaultValue("") String publicKey,
    @DefaultValue("") String issuerUri,
    @DefaultValue("solidus") String audience,
    @DefaultValue("at+jwt") List<String> tokenTypes,
    @DefaultValue("roles") List<String> roleClaims,
    @DefaultValue("bank") String bankClaim,
    @DefaultValue("3s") Duration issuerTimeout,
    @DefaultValue("24h") Duration longestLife) {

  public SecurityProperties {
    tokenTypes = List.copyOf(tokenTypes);
    roleClaims = List.copyOf(roleClaims);
  }
}
