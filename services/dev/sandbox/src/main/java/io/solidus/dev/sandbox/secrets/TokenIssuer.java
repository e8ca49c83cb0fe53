package io.solidus.dev.sandbox.secrets;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;

/**
 * Issues the operators' access tokens of a development installation, instead of the bank's OpenID
 * provider. Services get the public key only.
 */
public final class TokenIssuer {
  private static final String KEY_FILE = "operators-token-key.pkcs8";
  private static final String ISSUER = "solidus-sandbox";
  private static final String AUDIENCE = "solidus";

  /** The subject with which the registration service calls the sanctions service. */
  public static final String SCREENING_CLIENT = "registration-service";

  private final RSAPrivateCrtKey key;

  private TokenIssuer(RSAPrivateCrtKey key) {
    this.key = key;
  }

  /** Loads the issuer's key, or makes it when it is missing. */
  public static TokenIssuer open(SecretFiles secrets) throws IOException, GeneralSecurityException {
    if (!Files.exists(secrets.path(KEY_FILE))) {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(3072);
      secrets.create(KEY_FILE, generator.generateKeyPair().getPrivate().getEncoded());
    }
    byte[] encoded = Files.readAllBytes(secrets.path(KEY_FILE));
    return new TokenIssuer(
        (RSAPrivateCrtKey)
            KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(encoded)));
  }

  /** The public key, PEM. */
  public String publicKeyPem() throws GeneralSecurityException {
    byte[] encoded =
        KeyFactory.getInstance("RSA")
            .generatePublic(new RSAPublicKeySpec(key.getModulus(), key.getPublicExponent()))
            .getEncoded();
    String body =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(encoded);
    return "-----BEGIN PUBLIC KEY-----\n" + body + "\n-----END PUBLIC KEY-----\n";
  }

  /** A token for the operator {@code subject} with these roles. */
  public String issue(String subject, List<String> roles, Duration validity) throws JOSEException {
    Instant now = Instant.now();
    JWTClaimsSet claims =
        new JWTClaimsSet.Builder()
            .issuer(ISSUER)
            .audience(AUDIENCE)
            .subject(subject)
            .claim("roles", roles)
            .issueTime(Date.from(now))
            .expirationTime(Date.from(now.plus(validity)))
            .build();
    SignedJWT token = new SignedJWT(new JWSHeader(JWSAlgorithm.RS256), claims);
    token.sign(new RSASSASigner(key));
    return token.serialize();
  }
}
