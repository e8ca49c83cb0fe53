package io.solidus.dev.sandbox.secrets;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The key and the address of a development installation's OpenID provider. It issues access tokens
 * by itself too, for {@code ./solidus token} and the fuzzers, which need roles that nobody has.
 */
public final class TokenIssuer {
  private static final String KEY_FILE = "operators-token-key.pkcs8";
  private static final String KEY_ID = "sandbox";

  /** The name of the admin API, as in the tokens. */
  public static final String AUDIENCE = "solidus";

  private static final JWSHeader HEADER =
      new JWSHeader.Builder(JWSAlgorithm.RS256)
          .type(new JOSEObjectType("at+jwt"))
          .keyID(KEY_ID)
          .build();

  /** The subject with which the registration service calls the sanctions service. */
  public static final String SCREENING_CLIENT = "registration-service";

  private final RSAPrivateCrtKey key;
  private final String issuer;

  private TokenIssuer(RSAPrivateCrtKey key, String issuer) {
    this.key = key;
    this.issuer = issuer;
  }

  /**
   * Loads the issuer's key, or makes it when it is missing.
   *
   * @param port of the OpenID provider
   */
  public static TokenIssuer open(SecretFiles secrets, int port)
      throws IOException, GeneralSecurityException {
    if (!Files.exists(secrets.path(KEY_FILE))) {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(3072);
      secrets.create(KEY_FILE, generator.generateKeyPair().getPrivate().getEncoded());
    }
    byte[] encoded = Files.readAllBytes(secrets.path(KEY_FILE));
    return new TokenIssuer(
        (RSAPrivateCrtKey)
            KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(encoded)),
        "http://127.0.0.1:" + port);
  }

  /** The provider's address, as in the tokens. */
  public String issuer() {
    return issuer;
  }

  /** The key with which the provider signs. */
  public RSAKey key() throws GeneralSecurityException {
    return new RSAKey.Builder(publicKey())
        .privateKey(key)
        .keyID(KEY_ID)
        .keyUse(KeyUse.SIGNATURE)
        .algorithm(JWSAlgorithm.RS256)
        .build();
  }

  private RSAPublicKey publicKey() throws GeneralSecurityException {
    return (RSAPublicKey)
        KeyFactory.getInstance("RSA")
            .generatePublic(new RSAPublicKeySpec(key.getModulus(), key.getPublicExponent()));
  }

  /** The public key, PEM. */
  public String publicKeyPem() throws GeneralSecurityException {
    byte[] encoded = publicKey().getEncoded();
    String body =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(encoded);
    return "-----BEGIN PUBLIC KEY-----\n" + body + "\n-----END PUBLIC KEY-----\n";
  }

  /** A token for somebody of the centre, with these roles. */
  public String issue(String subject, List<String> roles, Duration validity) throws JOSEException {
    return issue(subject, roles, null, validity);
  }

  /**
   * A token for the operator {@code subject} with these roles.
   *
   * @param bank whose staff the operator is; null: the centre's
   */
  public String issue(String subject, List<String> roles, @Nullable String bank, Duration validity)
      throws JOSEException {
    Instant now = Instant.now();
    JWTClaimsSet claims =
        new JWTClaimsSet.Builder()
            .issuer(issuer)
            .audience(AUDIENCE)
            .subject(subject)
            .claim("roles", roles)
            .claim("bank", bank)
            .issueTime(Date.from(now))
            .expirationTime(Date.from(now.plus(validity)))
            .build();
    SignedJWT token = new SignedJWT(HEADER, claims);
    token.sign(new RSASSASigner(key));
    return token.serialize();
  }
}
