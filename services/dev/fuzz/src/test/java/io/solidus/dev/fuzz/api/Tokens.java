package io.solidus.dev.fuzz.api;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.solidus.dev.sandbox.secrets.TokenIssuer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Valid access tokens of any role, and invalid ones. */
final class Tokens {
  static final List<String> ROLES =
      List.of(
          "kyc-operator",
          "sanctions-operator",
          "policy-operator",
          "issuance-operator",
          "approver",
          "auditor",
          "service");

  /** Roles that count together; a token with another one has that one alone. */
  static final List<String> TOGETHER =
      ROLES.stream().filter(role -> !Set.of("auditor", "service").contains(role)).toList();

  private static final Duration VALIDITY = Duration.ofMinutes(55);

  private final TokenIssuer issuer;
  private final PrivateKey otherKey;

  /** Tokens of earlier requests, because a signature takes 50 ms. */
  private final Map<List<Object>, String> issued = new HashMap<>();

  Tokens(TokenIssuer issuer) throws GeneralSecurityException {
    this.issuer = issuer;
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    this.otherKey = generator.generateKeyPair().getPrivate();
  }

  String of(String subject, List<String> roles) {
    return issued.computeIfAbsent(List.of(subject, roles), key -> issue(subject, roles));
  }

  private String issue(String subject, List<String> roles) {
    try {
      return issuer.issue(subject, roles, VALIDITY);
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Values of the Authorization header that must not authenticate, by name. */
  Map<String, String> invalid() throws Exception {
    JWTClaimsSet claims = claims().build();
    String good = of("mallory", ROLES);
    String[] parts = good.split("\\.", -1);
    Map<String, String> all = new LinkedHashMap<>();
    all.put("garbage", "Bearer garbage");
    all.put("empty", "Bearer ");
    all.put("another scheme", "Basic bWFsbG9yeTpwYXNz");
    all.put("alg none", "Bearer " + new PlainJWT(claims).serialize());
    all.put(
        "alg none with the old signature", "Bearer " + new PlainJWT(claims).serialize() + parts[2]);
    all.put("signature cut off", "Bearer " + parts[0] + "." + parts[1] + ".");
    all.put(
        "signature of another token",
        "Bearer "
            + parts[0]
            + "."
            + parts[1]
            + "."
            + of("somebody", List.of()).split("\\.", -1)[2]);
    all.put(
        "another issuer's key",
        "Bearer " + signed(JWSAlgorithm.RS256, new RSASSASigner(otherKey), claims));
    all.put(
        "the public key as a MAC's secret", "Bearer " + signed(JWSAlgorithm.HS256, mac(), claims));
    all.put("expired", "Bearer " + issuer.issue("mallory", ROLES, Duration.ofHours(-2)));
    all.put("two tokens", "Bearer " + good + " " + good);
    all.put("a long one", "Bearer " + "a".repeat(6000) + ".b.c");
    return all;
  }

  private MACSigner mac() throws JOSEException, GeneralSecurityException {
    return new MACSigner(issuer.publicKeyPem().getBytes(StandardCharsets.US_ASCII));
  }

  private static String signed(JWSAlgorithm algorithm, JWSSigner signer, JWTClaimsSet claims)
      throws JOSEException {
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(algorithm).type(new JOSEObjectType("at+jwt")).build(), claims);
    token.sign(signer);
    return token.serialize();
  }

  private static JWTClaimsSet.Builder claims() {
    return new JWTClaimsSet.Builder()
        .issuer("solidus-sandbox")
        .audience("solidus")
        .subject("mallory")
        .claim("roles", ROLES)
        .expirationTime(Date.from(Instant.now().plus(VALIDITY)));
  }
}
