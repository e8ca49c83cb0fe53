package io.solidus.platform.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.solidus.platform.tls.TestAuthority.Issued;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import javax.net.ssl.X509ExtendedKeyManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;

/**
 * Which renewals are taken and which are refused. RenewalTest tests handshakes over gRPC and HTTPS.
 */
class RenewingBundlesTest {
  private static final TestAuthority CA = new TestAuthority("ca");
  private static final Issued FIRST = CA.issue();
  private static final Issued SECOND = CA.issue();

  @TempDir private static Path folder;

  private final RenewingBundles bundles = TestBundles.registry(TestBundles.bundle(FIRST, CA));
  private final MeterRegistry meters = new SimpleMeterRegistry();
  private final List<SslBundle> updates = new ArrayList<>();

  RenewingBundlesTest() {
    RenewalMetrics.bind(bundles, meters);
    bundles.addBundleUpdateHandler(TestBundles.NAME, updates::add);
  }

  private double renewals(String outcome) {
    return meters
        .get("solidus.tls.renewals")
        .tag("bundle", TestBundles.NAME)
        .tag("outcome", outcome)
        .functionCounter()
        .count();
  }

  private double stale() {
    return meters.get("solidus.tls.stale.status").tag("bundle", TestBundles.NAME).gauge().value();
  }

  /**
   * Writes a text to a file and returns its location. As a property, truncated PEM would be read as
   * the name of a file.
   */
  private static String file(String text) throws IOException {
    return "file:" + Files.writeString(Files.createTempFile(folder, "tls", ".pem"), text);
  }

  private static String half(String text) throws IOException {
    return file(text.substring(0, text.length() / 2));
  }

  static Stream<Arguments> unusable() throws IOException {
    String certificate = SECOND.certificatePem();
    String key = SECOND.keyPem();
    String trust = CA.pem();
    Issued ended = CA.issue("localhost", Instant.now().minus(Duration.ofMinutes(1)));
    String unreadable = "its files cannot be read (IllegalStateException)";
    return Stream.of(
        Arguments.of(
            "another key",
            TestBundles.bundle(certificate, FIRST.keyPem(), trust),
            "the private key does not match the certificate"),
        Arguments.of(
            "half a certificate", TestBundles.bundle(half(certificate), key, trust), unreadable),
        Arguments.of("half a key", TestBundles.bundle(certificate, half(key), trust), unreadable),
        Arguments.of(
            "half of the trust", TestBundles.bundle(certificate, key, half(trust)), unreadable),
        Arguments.of("an empty file", TestBundles.bundle(certificate, key, file("")), unreadable),
        Arguments.of(
            "an invalid certificate in valid PEM",
            TestBundles.bundle(
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", key, trust),
            "its files cannot be read (IOException)"),
        Arguments.of(
            "a missing file",
            TestBundles.bundle("file:/nowhere/tls.crt", key, trust),
            "its files cannot be read (FileNotFoundException)"),
        Arguments.of(
            "a certificate without its key",
            TestBundles.bundle(certificate, null, trust),
            "its key is missing"),
        Arguments.of(
            "no certificate at all", TestBundles.bundle(null, null, trust), "its key is missing"),
        Arguments.of(
            "no trust",
            TestBundles.bundle(certificate, key, null),
            "its trusted certificates are missing"),
        Arguments.of(
            "an expired certificate",
            TestBundles.bundle(ended, CA),
            "the certificate expired on " + ended.certificate().getNotAfter().toInstant()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("unusable")
  void refuses(String what, SslBundle renewed, String reason) {
    SslBundle used = bundles.getBundle(TestBundles.NAME);
    assertThatExceptionOfType(RenewalRefusedException.class)
        .isThrownBy(() -> RenewalCheck.check(used.getStores(), renewed, Instant.now()))
        .withMessage(reason);
    bundles.updateBundle(TestBundles.NAME, renewed);
    assertThat(TestBundles.serial(used)).isEqualTo(FIRST.serial());
    assertThat(updates).isEmpty();
    assertThat(stale()).isEqualTo(1);
    assertThat(renewals("refused")).isEqualTo(1);

    bundles.updateBundle(TestBundles.NAME, TestBundles.bundle(SECOND, CA));
    assertThat(TestBundles.serial(used)).isEqualTo(SECOND.serial());
    assertThat(updates).hasSize(1);
    assertThat(stale()).isZero();
    assertThat(renewals("taken")).isEqualTo(1);
    assertThat(renewals("refused")).isEqualTo(1);
  }

  /** Tomcat's reload may throw. */
  @Test
  void isStaleWhileAnUpdateHandlerFails() {
    SslBundle used = bundles.getBundle(TestBundles.NAME);
    AtomicBoolean failing = new AtomicBoolean(true);
    bundles.addBundleUpdateHandler(
        TestBundles.NAME,
        renewed -> {
          if (failing.get()) {
            throw new IllegalStateException("no reload now");
          }
        });
    bundles.updateBundle(TestBundles.NAME, TestBundles.bundle(SECOND, CA));
    assertThat(TestBundles.serial(used)).as("for all others").isEqualTo(SECOND.serial());
    assertThat(stale()).isEqualTo(1);
    assertThat(renewals("taken")).isZero();
    assertThat(renewals("refused")).isEqualTo(1);

    failing.set(false);
    bundles.updateBundle(TestBundles.NAME, TestBundles.bundle(SECOND, CA));
    assertThat(stale()).isZero();
    assertThat(renewals("taken")).isEqualTo(1);
  }

  /** Kafka's bundle, for example. */
  @Test
  void takesABundleWithoutKey() {
    RenewingBundles trusting = TestBundles.registry(TestBundles.bundle(null, null, CA.pem()));
    trusting.updateBundle(
        TestBundles.NAME,
        TestBundles.bundle(null, null, TestBundles.trust(CA, new TestAuthority("other"))));
    assertThat(trusting.getBundle(TestBundles.NAME).getManagers().createSslContext("TLS"))
        .isNotNull();
    assertThat(Objects.requireNonNull(trusting.all().get(TestBundles.NAME)).taken()).isEqualTo(1);
  }

  @Test
  void takesARenewalAfterAnUnusableStart() throws IOException {
    RenewingBundles late =
        TestBundles.registry(
            TestBundles.bundle(half(FIRST.certificatePem()), FIRST.keyPem(), CA.pem()));
    late.updateBundle(TestBundles.NAME, TestBundles.bundle(SECOND, CA));
    assertThat(TestBundles.serial(late.getBundle(TestBundles.NAME))).isEqualTo(SECOND.serial());
  }

  @Test
  void aHandshakeDuringARenewalGetsKeyAndCertificateOfOneBundle() {
    X509ExtendedKeyManager keys =
        (X509ExtendedKeyManager)
            bundles.getBundle(TestBundles.NAME).getManagers().getKeyManagers()[0];
    String before = keys.chooseEngineServerAlias("EC", null, null);
    assertThat(before).isNotNull();
    bundles.updateBundle(TestBundles.NAME, TestBundles.bundle(SECOND, CA));
    assertThat(keys.getPrivateKey(before)).isEqualTo(FIRST.keys().getPrivate());
    assertThat(keys.getCertificateChain(before))
        .extracting(X509Certificate::getSerialNumber)
        .containsExactly(FIRST.serial());

    String after = keys.chooseEngineServerAlias("EC", null, null);
    assertThat(keys.getCertificateChain(after))
        .extracting(X509Certificate::getSerialNumber)
        .containsExactly(SECOND.serial());
    bundles.updateBundle(TestBundles.NAME, TestBundles.bundle(CA.issue(), CA));
    assertThat(keys.getPrivateKey(before)).isNull();
    assertThat(keys.getPrivateKey(after)).isEqualTo(SECOND.keys().getPrivate());
  }

  @Test
  void otherBundlesAreUnknown() {
    assertThatExceptionOfType(NoSuchSslBundleException.class)
        .isThrownBy(() -> bundles.getBundle("other"));
    assertThatExceptionOfType(NoSuchSslBundleException.class)
        .isThrownBy(() -> bundles.updateBundle("other", TestBundles.bundle(SECOND, CA)));
  }
}
