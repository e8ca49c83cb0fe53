package io.solidus.platform.security;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.proc.JWSKeySelector;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.proc.SingleKeyJWSKeySelector;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;

/**
 * Makes decoders of access tokens of one issuer. {@link AccessTokenRules} says which tokens they
 * accept. Without a configured key or issuer every token is refused.
 */
final class TokenDecoders {
  /** No symmetric algorithm, so that no shared secret and no public key can sign. */
  private static final Set<JWSAlgorithm> ALGORITHMS =
      Set.of(JWSAlgorithm.RS256, JWSAlgorithm.PS256, JWSAlgorithm.ES256);

  private static final int MIN_RSA_BITS = 2048;
  private static final int EC_BITS = 256;

  private TokenDecoders() {}

  static JwtDecoder decoder(SecurityProperties properties, Clock clock) {
    OAuth2TokenValidator<Jwt> rules = AccessTokenRules.of(properties, clock);
    if (!properties.publicKey().isEmpty()) {
      return ofKey(properties.publicKey(), rules);
    }
    if (!properties.issuerUri().isEmpty()) {
      return ofIssuer(properties, rules);
    }
    return token -> {
      throw new BadJwtException("no token issuer is configured");
    };
  }

  private static JwtDecoder ofKey(String pem, OAuth2TokenValidator<Jwt> rules) {
    PublicKey key = parse(pem);
    return decoder(new SingleKeyJWSKeySelector<>(algorithm(key), key), rules);
  }

  private static JwtDecoder ofIssuer(
      SecurityProperties properties, OAuth2TokenValidator<Jwt> rules) {
    String issuer = properties.issuerUri();
    OpenIdProvider provider = new OpenIdProvider(issuer, properties.issuerTimeout());
    return decoder(
        new JWSVerificationKeySelector<>(
            ALGORITHMS, new IssuerKeys(provider, issuer, properties.issuerTimeout())),
        new DelegatingOAuth2TokenValidator<>(rules, new JwtIssuerValidator(issuer)));
  }

  private static JwtDecoder decoder(
      JWSKeySelector<SecurityContext> keys, OAuth2TokenValidator<Jwt> rules) {
    DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
    processor.setJWSKeySelector(keys);
    // the validator checks the type and the claims, with the service's own clock
    processor.setJWSTypeVerifier((type, context) -> {});
    processor.setJWTClaimsSetVerifier((claims, context) -> {});
    NimbusJwtDecoder decoder = new NimbusJwtDecoder(processor);
    decoder.setJwtValidator(rules);
    return decoder;
  }

  private static JWSAlgorithm algorithm(PublicKey key) {
    if (key instanceof RSAPublicKey rsa && rsa.getModulus().bitLength() >= MIN_RSA_BITS) {
      return JWSAlgorithm.RS256;
    }
    if (key instanceof ECPublicKey ec
        && ec.getParams().getCurve().getField().getFieldSize() == EC_BITS) {
      return JWSAlgorithm.ES256;
    }
    throw new IllegalStateException(
        "solidus.security.jwt.public-key must be RSA of at least 2048 bits or EC P-256");
  }

  private static PublicKey parse(String pem) {
    String body = pem.replaceAll("-----[A-Z ]+-----", "").replaceAll("\\s", "");
    for (String algorithm : List.of("RSA", "EC")) {
      try {
        byte[] encoded = Base64.getDecoder().decode(body);
        return KeyFactory.getInstance(algorithm).generatePublic(new X509EncodedKeySpec(encoded));
      } catch (GeneralSecurityException | IllegalArgumentException e) {
        // the next algorithm is tried
      }
    }
    throw new IllegalStateException("solidus.security.jwt.public-key is not a PEM public key");
  }
}
