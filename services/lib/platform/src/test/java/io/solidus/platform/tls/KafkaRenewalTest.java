package io.solidus.platform.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.solidus.platform.tls.TestAuthority.Issued;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.Map;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.apache.kafka.common.security.auth.SslEngineFactory;
import org.junit.jupiter.api.Test;
import org.springframework.boot.kafka.autoconfigure.SslBundleSslEngineFactory;
import org.springframework.boot.ssl.SslBundle;

/**
 * Kafka's clients have one engine factory while they run and use it for each connection to a
 * broker.
 */
class KafkaRenewalTest {
  private static final int MOST_STEPS = 100;
  private static final int ROOM = 1 << 16;

  private final TestAuthority ca = new TestAuthority("ca");
  private final Issued first = ca.issue();
  private final RenewingBundles bundles = TestBundles.registry(TestBundles.bundle(first, ca));
  private final SslEngineFactory clients = new SslBundleSslEngineFactory();

  KafkaRenewalTest() {
    clients.configure(Map.of(SslBundle.class.getName(), bundles.getBundle(TestBundles.NAME)));
  }

  /** Connects to a broker and returns the serial number of the certificate that it saw. */
  private BigInteger serialSeenBy(SslBundle broker) throws SSLException {
    SSLEngine server = broker.createSslContext().createSSLEngine();
    server.setUseClientMode(false);
    server.setNeedClientAuth(true);
    shakeHands(clients.createClientSslEngine("localhost", 9093, "https"), server);
    return ((X509Certificate) server.getSession().getPeerCertificates()[0]).getSerialNumber();
  }

  private static void shakeHands(SSLEngine client, SSLEngine server) throws SSLException {
    ByteBuffer toServer = ByteBuffer.allocate(ROOM);
    ByteBuffer toClient = ByteBuffer.allocate(ROOM);
    client.beginHandshake();
    server.beginHandshake();
    for (int i = 0; i < MOST_STEPS; i++) {
      step(client, toClient, toServer);
      step(server, toServer, toClient);
    }
    assertThat(server.getHandshakeStatus()).isEqualTo(HandshakeStatus.NOT_HANDSHAKING);
  }

  static void step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
    switch (engine.getHandshakeStatus()) {
      case NEED_TASK -> engine.getDelegatedTask().run();
      case NEED_WRAP -> engine.wrap(ByteBuffer.allocate(0), out);
      default -> {
        in.flip();
        engine.unwrap(in, ByteBuffer.allocate(ROOM));
        in.compact();
      }
    }
  }

  @Test
  void newConnectionsUseTheNewestCertificateAndTrust() throws SSLException {
    SslBundle broker = TestBundles.bundle(ca.issue(), ca);
    assertThat(serialSeenBy(broker)).isEqualTo(first.serial());
    Issued second = ca.issue();
    bundles.updateBundle(TestBundles.NAME, TestBundles.bundle(second, ca));
    assertThat(serialSeenBy(broker)).isEqualTo(second.serial());
    bundles.updateBundle(
        TestBundles.NAME, TestBundles.bundle(first.certificatePem(), second.keyPem(), ca.pem()));
    assertThat(serialSeenBy(broker)).isEqualTo(second.serial());
    bundles.updateBundle(TestBundles.NAME, TestBundles.bundle(second, new TestAuthority("other")));
    assertThatExceptionOfType(SSLHandshakeException.class).isThrownBy(() -> serialSeenBy(broker));
  }
}
