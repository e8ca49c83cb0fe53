package io.solidus.operator.registration.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.solidus.dev.openid.Account;
import io.solidus.dev.openid.OpenIdServer;
import io.solidus.dev.openid.OpenIdSettings;
import io.solidus.dev.openid.TokenShape;
import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.Ports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The registration's own tokens, from a real OpenID provider by client credentials. */
@Tag("process")
class ServiceTokenTest {
  private static final String SECRET = "s3cret: with %signs";

  /** Renewed after 8 of these seconds. */
  private static final Duration VALIDITY = Duration.ofSeconds(10);

  @TempDir private Path dir;

  @Test
  void isFetchedAndRenewedAndOutlivesTheProvider() throws Exception {
    RSAKey key = new RSAKeyGenerator(2048).keyID("one").generate();
    OpenIdSettings settings =
        new OpenIdSettings(
            Ports.next(),
            key,
            "solidus",
            "console",
            TokenShape.STANDARD,
            VALIDITY,
            List.of(),
            List.of(new Account("registration", SECRET, List.of("service"))));
    Path secret = Files.writeString(dir.resolve("client-secret"), SECRET + "\n");
    try (ServiceHarness service =
        new ServiceHarness(
            dir,
            "--solidus.security.jwt.public-key=",
            "--solidus.security.jwt.issuer-uri=http://127.0.0.1:" + settings.port(),
            "--solidus.service-client.id=registration",
            "--solidus.service-client.secret-file=" + secret)) {
      ServiceHarness.Answer waiting = service.submit(Submission.fresh());
      assertThat(service.status(waiting)).as("no provider").isEqualTo("pending-screening");
      assertThat(service.sanctions.authorizations()).isEmpty();
      try (OpenIdServer provider = OpenIdServer.start(settings)) {
        assertThat(provider.issuer()).endsWith(":" + settings.port());
        Await.until("the provider is found", () -> service.status(waiting).equals("pending"));
        String first = newest(service);
        JWTClaimsSet claims =
            SignedJWT.parse(first.substring("Bearer ".length())).getJWTClaimsSet();
        assertThat(claims.getSubject()).isEqualTo("registration");
        assertThat(claims.getStringListClaim("roles")).containsExactly("service");
        assertThat(service.submit(Submission.fresh()).text("status")).isEqualTo("pending");
        assertThat(newest(service)).as("a token is used more than once").isEqualTo(first);
        Await.until(
            "the token is renewed",
            () -> {
              service.submit(Submission.fresh());
              return !newest(service).equals(first);
            });
      }
      ServiceHarness.Answer later = service.submit(Submission.fresh());
      Await.until(
          "the token is used while the provider is away",
          () -> service.status(later).equals("pending"));
    }
  }

  private static String newest(ServiceHarness service) {
    return service.sanctions.authorizations().getLast();
  }
}
