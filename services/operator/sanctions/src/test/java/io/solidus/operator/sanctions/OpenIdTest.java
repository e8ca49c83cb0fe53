package io.solidus.operator.sanctions;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.solidus.dev.openid.Account;
import io.solidus.dev.openid.OpenIdClient;
import io.solidus.dev.openid.OpenIdServer;
import io.solidus.dev.openid.OpenIdSettings;
import io.solidus.dev.openid.TokenShape;
import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.Ports;
import io.solidus.dev.testkit.RestProbe.Answer;
import io.solidus.protocol.Apk;
import io.solidus.protocol.FieldElement;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The attacks of the audit on tokens, with a real OpenID provider. */
@Tag("process")
class OpenIdTest {
  /** The name of the API, and the provider's client too, so that ID tokens name it. */
  private static final String NAME = "solidus";

  private static final String PASSWORD = "password";
  private static final List<Account> PEOPLE =
      List.of(
          new Account("olga", PASSWORD, List.of("sanctions-operator")),
          new Account("anna", PASSWORD, List.of("approver")),
          new Account("arno", PASSWORD, List.of("auditor", "approver", "sanctions-operator")));
  private static final List<Account> SERVICES =
      List.of(
          new Account(
              "registration", PASSWORD, List.of("service", "approver", "sanctions-operator")));

  private static final String AN_ADDRESS =
      new Apk(FieldElement.of(FieldElement.MODULUS.divide(BigInteger.TWO))).hex();

  private static RSAKey key;

  @BeforeAll
  static void makeKey() throws JOSEException {
    key = new RSAKeyGenerator(2048).keyID("one").generate();
  }

  @Test
  void acceptsAccessTokensOnly(@TempDir Path directory) throws Exception {
    try (OpenIdServer provider = provider(0, TokenShape.STANDARD);
        SanctionsFixture service = service(directory, provider.issuer(), Map.of())) {
      OpenIdClient client = new OpenIdClient(provider.issuer(), NAME);
      OpenIdClient.Tokens olga = client.login("olga", PASSWORD, "a nonce");
      assertThat(lists(service, olga.access()).status()).isEqualTo(200);
      assertRefused(lists(service, olga.id()));
      assertRefused(lists(service, client.login("olga", PASSWORD, "").id()));
      String issuer = provider.issuer();
      assertThat(lists(service, token("at+jwt", issuer, claims -> claims)).status()).isEqualTo(200);
      assertRefused(lists(service, token("JWT", issuer, claims -> claims)));
      assertRefused(lists(service, token("at+jwt", issuer, c -> c.claim("nonce", "n"))));
      assertRefused(lists(service, token("at+jwt", issuer, c -> c.claim("at_hash", "n"))));
      assertRefused(lists(service, token("at+jwt", issuer, c -> c.claim("typ", "Refresh"))));
      assertRefused(lists(service, token("at+jwt", issuer, c -> c.audience("account"))));
      assertRefused(lists(service, token("at+jwt", issuer, c -> c.audience((String) null))));
      assertRefused(lists(service, token("at+jwt", issuer + "/", claims -> claims)));
      assertRefused(
          lists(service, token("at+jwt", issuer, c -> c.expirationTime(Date.from(Instant.EPOCH)))));
      Instant now = Instant.now();
      assertRefused(
          lists(service, token("at+jwt", issuer, c -> c.expirationTime(in(now, 25 * 3600)))));
      assertThat(
              lists(service, token("at+jwt", issuer, c -> c.expirationTime(in(now, 23 * 3600))))
                  .status())
          .isEqualTo(200);
      assertRefused(lists(service, token("at+jwt", issuer, c -> c.notBeforeTime(in(now, 3600)))));
      assertRefused(lists(service, token("at+jwt", issuer, c -> c.issueTime(in(now, 3600)))));
      for (String subject : List.of("eve ", " eve", "", "e\nve", "\u0435ve", "e".repeat(256))) {
        assertRefused(lists(service, token("at+jwt", issuer, c -> c.subject(subject))));
      }
    }
  }

  @Test
  void readsTheClaimsOfKeycloak(@TempDir Path directory) throws Exception {
    try (OpenIdServer provider = provider(0, TokenShape.KEYCLOAK);
        SanctionsFixture service =
            service(
                directory,
                provider.issuer(),
                Map.of(
                    "solidus.security.jwt.token-types", "JWT",
                    "solidus.security.jwt.role-claims", "realm_access.roles",
                    "solidus.security.jwt.audience", "solidus-admin"))) {
      OpenIdClient.Tokens olga =
          new OpenIdClient(provider.issuer(), NAME).login("olga", PASSWORD, "");
      assertThat(lists(service, olga.access()).status()).isEqualTo(200);
      assertRefused(lists(service, olga.id()));
    }
  }

  @Test
  void readsTheClaimsOfEntra(@TempDir Path directory) throws Exception {
    try (OpenIdServer provider = provider(0, TokenShape.ENTRA);
        SanctionsFixture service =
            service(
                directory,
                provider.issuer(),
                Map.of(
                    "solidus.security.jwt.token-types", "JWT",
                    "solidus.security.jwt.audience", "solidus-admin"))) {
      OpenIdClient.Tokens olga =
          new OpenIdClient(provider.issuer(), NAME).login("olga", PASSWORD, "");
      assertThat(lists(service, olga.access()).status()).isEqualTo(200);
      assertRefused(lists(service, olga.id()));
      String issuer = provider.issuer();
      UnaryOperator<JWTClaimsSet.Builder> forApi = c -> c.audience("solidus-admin");
      assertRefused(lists(service, token("JWT", issuer, forApi)));
      assertThat(
              lists(service, token("JWT", issuer, c -> forApi.apply(c).claim("azp", "console")))
                  .status())
          .isEqualTo(200);
      assertRefused(
          lists(service, token("JWT", issuer, c -> forApi.apply(c).claim("azp", "solidus-admin"))));
    }
  }

  @Test
  void anAbsentIssuerIsUnavailableAndNoFailure(@TempDir Path directory) throws Exception {
    int port = Ports.next();
    String issuer = "http://127.0.0.1:" + port;
    try (SanctionsFixture service = service(directory, issuer, Map.of())) {
      String token = token("at+jwt", issuer, claims -> claims);
      for (int i = 0; i < 5; i++) {
        Answer away = lists(service, token);
        assertThat(away.status()).isEqualTo(503);
        assertThat(away.code()).isEqualTo("token-issuer-unavailable");
        assertThat(away.header("Retry-After")).isEqualTo("5");
      }
      try (OpenIdServer provider = provider(port, TokenShape.STANDARD)) {
        Await.until("the issuer is found", () -> lists(service, token).status() == 200);
      }
      assertThat(lists(service, token).status()).as("the keys are kept").isEqualTo(200);
    }
  }

  @Test
  void servicesAndAuditorsDecideNothing(@TempDir Path directory) throws Exception {
    try (OpenIdServer provider = provider(0, TokenShape.STANDARD);
        SanctionsFixture service = service(directory, provider.issuer(), Map.of())) {
      OpenIdClient client = new OpenIdClient(provider.issuer(), NAME);
      String olga = client.login("olga", PASSWORD, "").access();
      String auditor = client.login("arno", PASSWORD, "").access();
      String machine = client.clientCredentials("registration", PASSWORD);
      String proposal = propose(service, olga).json().path("id").asString();

      // no list is imported yet, so nobody can be cleared
      assertThat(screen(service, machine).status()).isEqualTo(503);
      assertThat(screen(service, machine).code()).isNotEqualTo("token-issuer-unavailable");
      assertThat(propose(service, machine).status()).isEqualTo(403);
      assertThat(approve(service, proposal, machine).status()).isEqualTo(403);
      assertThat(lists(service, machine).status()).isEqualTo(403);

      assertThat(lists(service, auditor).status()).isEqualTo(200);
      assertThat(propose(service, auditor).status()).isEqualTo(403);
      assertThat(approve(service, proposal, auditor).status()).isEqualTo(403);

      String anna = client.login("anna", PASSWORD, "").access();
      assertThat(approve(service, proposal, anna).status()).isEqualTo(200);
    }
  }

  @Test
  void aTokenOfAServiceDecidesNothingWhateverItsRoles(@TempDir Path directory) throws Exception {
    try (OpenIdServer provider = provider(0, TokenShape.STANDARD);
        SanctionsFixture service = service(directory, provider.issuer(), Map.of())) {
      String olga = new OpenIdClient(provider.issuer(), NAME).login("olga", PASSWORD, "").access();
      String proposal = propose(service, olga).json().path("id").asString();
      String issuer = provider.issuer();
      List<UnaryOperator<JWTClaimsSet.Builder>> shapes =
          List.of(
              // RFC 9068, Spring Authorization Server
              c -> c.subject("payments-job").claim("client_id", "payments-job"),
              // Keycloak
              c ->
                  c.subject("6c3f0f7e-8b0c-4c53-9a35-1b0b6a5a4a51")
                      .claim("azp", "payments-job")
                      .claim("scope", "profile")
                      .claim("preferred_username", "service-account-payments-job"),
              // Entra, version 1 and 2, without and with idtyp
              c -> entra(c, "1.0").claim("appid", "payments-job"),
              c -> entra(c, "2.0").claim("azp", "payments-job"),
              c -> entra(c, "2.0").claim("idtyp", "app").claim("scp", "x").claim("oid", "other"),
              // Auth0
              c -> c.subject("payments-job@clients").claim("gty", "client-credentials"));
      for (UnaryOperator<JWTClaimsSet.Builder> shape : shapes) {
        String machine =
            token(
                "at+jwt",
                issuer,
                c -> shape.apply(c).claim("roles", List.of("approver", "sanctions-operator")));
        assertThat(approve(service, proposal, machine).status()).isEqualTo(403);
        assertThat(propose(service, machine).status()).isEqualTo(403);
        assertThat(lists(service, machine).status()).isEqualTo(403);
      }
      // a person of Entra has a subject of her own and a scope
      assertThat(
              approve(
                      service,
                      proposal,
                      token(
                          "at+jwt",
                          issuer,
                          c ->
                              entra(c, "2.0")
                                  .subject("anna")
                                  .claim("scp", "admin")
                                  .claim("azp", "console")
                                  .claim("roles", List.of("approver"))))
                  .status())
          .isEqualTo(200);
    }
  }

  private static JWTClaimsSet.Builder entra(JWTClaimsSet.Builder claims, String version) {
    String object = "9d4ff1f2-5d6a-45ae-b1bd-f80b8b8be6ee";
    return claims
        .subject(object)
        .claim("oid", object)
        .claim("tid", "d3b7c1a0-0000-4000-8000-000000000000")
        .claim("ver", version);
  }

  private static Date in(Instant now, long seconds) {
    return Date.from(now.plusSeconds(seconds));
  }

  private static OpenIdServer provider(int port, TokenShape shape) {
    String audience = shape == TokenShape.STANDARD ? NAME : "solidus-admin";
    return OpenIdServer.start(
        new OpenIdSettings(
            port, key, audience, NAME, shape, Duration.ofMinutes(5), PEOPLE, SERVICES));
  }

  private static SanctionsFixture service(
      Path directory, String issuer, Map<String, Object> further) throws IOException {
    Map<String, Object> properties = new HashMap<>(further);
    properties.put("solidus.security.jwt.public-key", "");
    properties.put("solidus.security.jwt.issuer-uri", issuer);
    return SanctionsFixture.start(directory, SanctionsFixture.NO_KAFKA, properties);
  }

  /** A token that the provider's key signed, as a provider with other settings would. */
  private static String token(
      String type, String issuer, UnaryOperator<JWTClaimsSet.Builder> change) throws JOSEException {
    JWTClaimsSet.Builder claims =
        new JWTClaimsSet.Builder()
            .issuer(issuer)
            .subject("olga")
            .audience(NAME)
            .issueTime(Date.from(Instant.now()))
            .expirationTime(Date.from(Instant.now().plusSeconds(300)))
            .claim("roles", List.of("sanctions-operator"));
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.RS256)
                .keyID(key.getKeyID())
                .type(new JOSEObjectType(type))
                .build(),
            change.apply(claims).build());
    token.sign(new RSASSASigner(key));
    return token.serialize();
  }

  private static Answer lists(SanctionsFixture service, String token) {
    return service.rest.get("/admin/v1/sanctions/lists", bearer(token));
  }

  private static Answer screen(SanctionsFixture service, String token) {
    return service.rest.post(
        "/admin/v1/sanctions/screenings", Map.of("fullName", "Ann Example"), bearer(token));
  }

  private static Answer propose(SanctionsFixture service, String token) {
    return service.rest.post(
        "/admin/v1/sanctions/addresses",
        Map.of("apk", AN_ADDRESS, "reason", "court order"),
        bearer(token));
  }

  private static Answer approve(SanctionsFixture service, String proposal, String token) {
    return service.rest.send(
        "POST", "/admin/v1/approvals/" + proposal, (Object) null, bearer(token));
  }

  private static String[] bearer(String token) {
    return new String[] {"Authorization", "Bearer " + token};
  }

  private static void assertRefused(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(401);
    assertThat(answer.code()).isEqualTo("unauthorized");
  }
}
