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
 * What is taken and what is refused. Handshakes are looked at where they are made: over gRPC and
 * HTTPS.
 */
class RenewingBundlesTest {
  private static final TestAuthority CA = new TestAuthority("ca");
  private static final Issued FIRST = CA.issue();
  private static final Issued SECOND = CA.issue();

  @TempDir private static Path folder;

  private final RenewingBundles bundles = TestBundles.registry(TestBundles.bundle(FIRST, CA));
  private final MeterRegistry meters = new SimpleMeterRegistry();
  private final List<SslBundle> heard = new ArrayList<>();

  RenewingBundlesTest() {
    RenewalMeters.bind(bundles, meters);
    bundles.addBundleUpdateHandler(TestBundles.NAME, heard::add);
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
   * Where a file with this text is. Text that is not whole would be taken for the name of a file.
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
            "another's key",
            TestBundles.bundle(certificate, FIRST.keyPem(), trust),
            "the private key is not the certificate's"),
        Arguments.of(
            "half a certificate", TestBundles.bundle(half(certificate), key, trust), unreadable),
        Arguments.of("half a key", TestBundles.bundle(certificate, half(key), trust), unreadable),
        Arguments.of(
            "half of whom to trust", TestBundles.bundle(certificate, key, half(trust)), unreadable),
        Arguments.of("an empty file", TestBundles.bundle(certificate, key, file("")), unreadable),
        Arguments.of(
            "garbage of the right form",
            TestBundles.bundle(
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", key, trust),
            "its files cannot be read (IOException)"),
        Arguments.of(
            "a file that is not there",
            TestBundles.bundle("file:/nowhere/tls.crt", key, trust),
            "its files cannot be read (FileNotFoundException)"),
        Arguments.of(
            "a certificate without its key",
            TestBundles.bundle(certificate, null, trust),
            "it has no key any more"),
        Arguments.of(
            "no certificate at all",
            TestBundles.bundle(null, null, trust),
            "it has no key any more"),
        Arguments.of(
            "nobody to trust",
            TestBundles.bundle(certificate, key, null),
            "it trusts nobody any more"),
        Arguments.of(
            "a certificate that has ended",
            TestBundles.bundle(ended, CA),
            "the certificate ended on " + ended.certificate().getNotAfter().toInstant()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("unusable")
  void refuses(String what, SslBundle renewed, String reason) {
    SslBundle used = bundles.getBundle(TestBundles.NAME);
    assertThatExceptionOfType(RenewalRefusedException.class)
        .isThrownBy(() -> RenewalCheck.of(used.getStores(), renewed, Instant.now()))
        .withMessage(reason);
    bundles.updateBundle(TestBundles.NAME, renewed);
    assertThat(TestBundles.serial(used)).isEqualTo(FIRST.serial());
    assertThat(heard).isEmpty();
    assertThat(stale()).isEqualTo(1);
    assertThat(renewals("refused")).isEqualTo(1);

    bundles.updateBundle(TestBundles.NAME, TestBundles.bundle(SECOND, CA));
    assertThat(TestBundles.serial(used)).isEqualTo(SECOND.serial());
    assertThat(heard).hasSize(1);
    assertThat(stale()).isZero();
    assertThat(renewals("taken")).isEqualTo(1);
    assertThat(renewals("refused")).isEqualTo(1);
  }

  /** As Tomcat's reload may. */
  @Test
  void isStaleWhileOneWhoHearsOfARenewalFailsToTakeIt() {
    SslBundle used = bundles.getBundle(TestBundles.NAME);
    AtomicBoolean away = new AtomicBoolean(true);
    bundles.addBundleUpdateHandler(
        TestBundles.NAME,
        renewed -> {
          if (away.get()) {
            throw new IllegalStateException("no reload now");
          }
        });
    bundles.updateBundle(TestBundles.NAME, TestBundles.bundle(SECOND, CA));
    assertThat(TestBundles.serial(used)).as("for all others").isEqualTo(SECOND.serial());
    assertThat(stale()).isEqualTo(1);
    assertThat(renewals("taken")).isZero();
    assertThat(renewals("refused")).isEqualTo(1);

    away.set(false);
    bundles.updateBundle(TestBundles.NAME, TestBundles.bundle(SECOND, CA));
    assertThat(stale()).isZero();
    assertThat(renewals("taken")).isEqualTo(1);
  }

  /** A bundle for the calls alone, as Kafka's. */
  @Test
  void takesABundleThatOnlyTrusts() {
    RenewingBundles trusting = TestBundles.registry(TestBundles.bundle(null, null, CA.pem()));
    trusting.updateBundle(
        TestBundles.NAME,
        TestBundles.bundle(null, null, TestBundles.trust(CA, new TestAuthority("other"))));
    assertThat(trusting.getBundle(TestBundles.NAME).getManagers().createSslContext("TLS"))
        .isNotNull();
    assertThat(trusting.all().get(TestBundles.NAME).taken()).isEqualTo(1);
  }

  /** Where the files were unusable at the start, a good renewal mends it. */
  @Test
  void takesAFirstOneThatCanBeUsed() throws IOException {
    RenewingBundles late =
        TestBundles.registry(
            TestBundles.bundle(half(FIRST.certificatePem()), FIRST.keyPem(), CA.pem()));
    late.updateBundle(TestBundles.NAME, TestBundles.bundle(SECOND, CA));
    assertThat(TestBundles.serial(late.getBundle(TestBundles.NAME))).isEqualTo(SECOND.serial());
  }

  @Test
  void aHandshakeInTheMidstOfARenewalGetsKeyAndCertificateOfOne() {
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
  void knowsNoOtherBundle() {
    assertThatExceptionOfType(NoSuchSslBundleException.class)
        .isThrownBy(() -> bundles.getBundle("other"));
    assertThatExceptionOfType(NoSuchSslBundleException.class)
        .isThrownBy(() -> bundles.updateBundle("other", TestBundles.bundle(SECOND, CA)));
  }
}
