package io.solidus.platform.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.solidus.platform.tls.TestAuthority.Issued;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.X509ExtendedKeyManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;

/** What is taken and what is refused. Handshakes are looked at where they are made: over gRPC and HTTPS. */
class RenewingBundlesTest {
  private static final TestAuthority CA = new TestAuthority("ca");
  private static final Issued FIRST = CA.issue();
  private static final Issued SECOND = CA.issue();

  private final RenewingBundles bundles = TestBundles.registry(TestBundles.bundle(FIRST, CA));
  private final MeterRegistry meters = new SimpleMeterRegistry();
  private final List<SslBundle> heard = new ArrayList<>();

  RenewingBundlesTest() {
    RenewalMeters.bind(bundles, meters);
    bundles.addBundleUpdateHandler(TestBundles.NAME, heard::add);
  }

  private double renewals(String outcome) {
    return meters.get("solidus.tls.renewals").tag("bundle", TestBundles.NAME).tag("outcome", outcome).functionCounter().count();
  }

  private double stale() {
    return meters.get("solidus.tls.stale.status").tag("bundle", TestBundles.NAME).gauge().value();
  }

  static Stream<Arguments> unusable() {
    String certificate = SECOND.certificatePem();
    String trust = CA.pem();
    Issued ended = CA.issue("localhost", Instant.now().minus(Duration.ofMinutes(1)));
    return Stream.of(
        Arguments.of("the key of another certificate", TestBundles.bundle(certificate, FIRST.keyPem(), trust)),
        Arguments.of("half a certificate", TestBundles.bundle(certificate.substring(0, certificate.length() / 2), SECOND.keyPem(), trust)),
        Arguments.of("half a key", TestBundles.bundle(certificate, SECOND.keyPem().substring(0, 80), trust)),
        Arguments.of(
            "garbage of the right form",
            TestBundles.bundle("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", SECOND.keyPem(), trust)),
        Arguments.of("a file that is not there", TestBundles.bundle("file:/nowhere/tls.crt", SECOND.keyPem(), trust)),
        Arguments.of("a certificate without its key", TestBundles.bundle(certificate, null, trust)),
        Arguments.of("no certificate at all", TestBundles.bundle(null, null, trust)),
        Arguments.of("nobody to trust", TestBundles.bundle(certificate, SECOND.keyPem(), null)),
        Arguments.of("half of whom to trust", TestBundles.bundle(certificate, SECOND.keyPem(), trust.substring(0, 100))),
        Arguments.of("a certificate that has ended", TestBundles.bundle(ended, CA)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("unusable")
  void refuses(String what, SslBundle renewed) {
    SslBundle used = bundles.getBundle(TestBundles.NAME);
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

  /** A bundle for the calls alone, as Kafka's. */
  @Test
  void takesABundleThatOnlyTrusts() {
    RenewingBundles trusting = TestBundles.registry(TestBundles.bundle(null, null, CA.pem()));
    trusting.updateBundle(TestBundles.NAME, TestBundles.bundle(null, null, TestBundles.trust(CA, new TestAuthority("other"))));
    assertThat(trusting.getBundle(TestBundles.NAME).getManagers().createSslContext("TLS")).isNotNull();
    assertThat(trusting.all().get(TestBundles.NAME).taken()).isEqualTo(1);
  }

  /** Where the files were unusable at the start, a good renewal mends it. */
  @Test
  void takesAFirstOneThatCanBeUsed() {
    RenewingBundles late = TestBundles.registry(TestBundles.bundle(FIRST.certificatePem().substring(0, 90), FIRST.keyPem(), CA.pem()));
    late.updateBundle(TestBundles.NAME, TestBundles.bundle(SECOND, CA));
    assertThat(TestBundles.serial(late.getBundle(TestBundles.NAME))).isEqualTo(SECOND.serial());
  }

  @Test
  void aHandshakeInTheMidstOfARenewalGetsKeyAndCertificateOfOne() {
    X509ExtendedKeyManager keys =
        (X509ExtendedKeyManager) bundles.getBundle(TestBundles.NAME).getManagers().getKeyManagers()[0];
    String before = keys.chooseEngineServerAlias("EC", null, null);
    assertThat(before).isNotNull();
    bundles.updateBundle(TestBundles.NAME, TestBundles.bundle(SECOND, CA));
    assertThat(keys.getPrivateKey(before)).isEqualTo(FIRST.keys().getPrivate());
    assertThat(keys.getCertificateChain(before)).extracting(X509Certificate::getSerialNumber).containsExactly(FIRST.serial());

    String after = keys.chooseEngineServerAlias("EC", null, null);
    assertThat(keys.getCertificateChain(after)).extracting(X509Certificate::getSerialNumber).containsExactly(SECOND.serial());
    bundles.updateBundle(TestBundles.NAME, TestBundles.bundle(CA.issue(), CA));
    assertThat(keys.getPrivateKey(before)).isNull();
    assertThat(keys.getPrivateKey(after)).isEqualTo(SECOND.keys().getPrivate());
  }

  @Test
  void knowsNoOtherBundle() {
    assertThatExceptionOfType(NoSuchSslBundleException.class).isThrownBy(() -> bundles.getBundle("other"));
    assertThatExceptionOfType(NoSuchSslBundleException.class)
        .isThrownBy(() -> bundles.updateBundle("other", TestBundles.bundle(SECOND, CA)));
  }
}
