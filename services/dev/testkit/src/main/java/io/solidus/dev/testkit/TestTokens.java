package io.solidus.dev.testkit;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;

/** Issues valid and invalid access tokens for the admin APIs. */
public final class TestTokens {
  private static final String AUDIENCE = "solidus";
  private static final JWSHeader HEADER =
      new JWSHeader.Builder(JWSAlgorithm.ES256).type(new JOSEObjectType("at+jwt")).build();
  private final ECKey key;

  private TestTokens(ECKey key) {
    this.key = key;
  }

  /** An issuer with a new key. */
  public static TestTokens create() {
    try {
      return new TestTokens(new ECKeyGenerator(Curve.P_256).generate());
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The properties by which a service trusts this issuer. */
  public Map<String, Object> springProperties() {
    return Map.of("solidus.security.jwt.public-key", publicKeyPem());
  }

  public String publicKeyPem() {
    try {
      String base64 = Base64.getEncoder().encodeToString(key.toECPublicKey().getEncoded());
      return "-----BEGIN PUBLIC KEY-----\n" + base64 + "\n-----END PUBLIC KEY-----\n";
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A valid token of a subject with roles. */
  public String token(String subject, String... roles) {
    return sign(claims(subject, roles).build());
  }

  /** A valid token of a bank's staff. */
  public String ofBank(Object bank, String subject, String... roles) {
    return sign(claims(subject, roles).claim("bank", bank).build());
  }

  /** A token for a service whose clock stands at a time. */
  public String tokenAt(Instant time, String subject, String... roles) {
    return sign(
        claims(subject, roles)
            .issueTime(Date.from(time))
            .expirationTime(Date.from(time.plusSeconds(600)))
            .build());
  }

  public String expired(String subject, String... roles) {
    return sign(
        claims(subject, roles).expirationTime(Date.from(Instant.now().minusSeconds(3600))).build());
  }

  public String withoutExpiry(String subject, String... roles) {
    return sign(claims(subject, roles).expirationTime(null).build());
  }

  public String forOtherAudience(String subject, String... roles) {
    return sign(claims(subject, roles).audience("elsewhere").build());
  }

  /** An ID token that names the API, as a client of the same name gets. */
  public String idToken(String subject, String... roles) {
    return sign(claims(subject, roles).claim("nonce", "n-0S6").build());
  }

  /** A token of another type than access tokens. */
  public String ofType(String type, String subject, String... roles) {
    return sign(
        new JWSHeader.Builder(JWSAlgorithm.ES256).type(new JOSEObjectType(type)).build(),
        claims(subject, roles).build());
  }

  /** A token with {@code alg: none}. */
  public String unsigned(String subject, String... roles) {
    return new PlainJWT(claims(subject, roles).build()).serialize();
  }

  private static JWTClaimsSet.Builder claims(String subject, String... roles) {
    Instant now = Instant.now();
    return new JWTClaimsSet.Builder()
        .subject(subject)
        .audience(AUDIENCE)
        .issueTime(Date.from(now))
        .expirationTime(Date.from(now.plusSeconds(600)))
        .claim("roles", List.of(roles));
  }

  private String sign(JWTClaimsSet claims) {
    return sign(HEADER, claims);
  }

  private String sign(JWSHeader header, JWTClaimsSet claims) {
    try {
      SignedJWT token = new SignedJWT(header, claims);
      token.sign(new ECDSASigner(key));
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }
}
