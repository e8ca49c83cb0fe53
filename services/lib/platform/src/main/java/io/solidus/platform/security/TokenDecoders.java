package io.solidus.platform.security;

import com.nimbusds.jose.JWSAlgorithm;
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
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.jwt.SupplierJwtDecoder;

/**
 * Makes decoders of access tokens. A decoder accepts one algorithm of one issuer, and requires
 * expiry, subject and the configured audience. Without a configured key or issuer every token is
 * refused.
 */
final class TokenDecoders {
  private static final int MIN_RSA_BITS = 2048;
  private static final int EC_BITS = 256;

  private TokenDecoders() {}

  static JwtDecoder decoder(SecurityProperties properties, Clock clock) {
    OAuth2TokenValidator<Jwt> rules = rules(properties.audience(), clock);
    if (!properties.publicKey().isEmpty()) {
      return ofKey(properties.publicKey(), rules);
    }
    if (!properties.issuerUri().isEmpty()) {
      return ofIssuer(properties.issuerUri(), rules);
    }
    return token -> {
      throw new BadJwtException("no token issuer is configured");
    };
  }

  private static JwtDecoder ofKey(String pem, OAuth2TokenValidator<Jwt> rules) {
    PublicKey key = parse(pem);
    DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
    processor.setJWSKeySelector(new SingleKeyJWSKeySelector<>(algorithm(key), key));
    // the validator checks the claims, with the service's own clock
    processor.setJWTClaimsSetVerifier((claims, context) -> {});
    NimbusJwtDecoder decoder = new NimbusJwtDecoder(processor);
    decoder.setJwtValidator(rules);
    return decoder;
  }

  /**
   * Makes a decoder that fetches the issuer's keys on first use, so that a service starts while its
   * issuer is unavailable.
   */
  private static JwtDecoder ofIssuer(String issuerUri, OAuth2TokenValidator<Jwt> rules) {
    return new SupplierJwtDecoder(() -> {
      NimbusJwtDecoder decoder = NimbusJwtDecoder.withIssuerLocation(issuerUri).build();
      decoder.setJwtValidator(
          new DelegatingOAuth2TokenValidator<>(rules, new JwtIssuerValidator(issuerUri)));
      return decoder;
    });
  }

  private static OAuth2TokenValidator<Jwt> rules(String audience, Clock clock) {
    JwtTimestampValidator timestamps = new JwtTimestampValidator();
    timestamps.setClock(clock);
    return new DelegatingOAuth2TokenValidator<>(
        timestamps,
        new JwtClaimValidator<List<String>>(
            "aud", value -> value != null && value.contains(audience)),
        new JwtClaimValidator<String>("sub", value -> value != null && !value.isBlank()),
        new JwtClaimValidator<Object>("exp", value -> value != null));
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
