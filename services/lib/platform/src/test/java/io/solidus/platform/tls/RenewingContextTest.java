package io.solidus.platform.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** Session tickets of a server that is no longer trusted. */
class RenewingContextTest {
  private static final int MOST_STEPS = 100;
  private static final int ROOM = 1 << 16;

  private final TestAuthority ca = new TestAuthority("ca");
  private final RenewingBundles bundles =
      TestBundles.registry(TestBundles.bundle(null, null, ca.pem()));
  private final SSLContext callers = bundles.getBundle(TestBundles.NAME).createSslContext();
  private final SSLContext servers = TestBundles.bundle(ca.issue(), ca).createSslContext();

  /** A connection whose client has not read the server's session ticket yet. */
  private final class Connection {
    private final SSLEngine client = callers.createSSLEngine("localhost", 9093);
    private final SSLEngine server = servers.createSSLEngine();
    private final ByteBuffer toServer = ByteBuffer.allocate(ROOM);
    private final ByteBuffer toClient = ByteBuffer.allocate(ROOM);

    Connection() throws SSLException {
      client.setUseClientMode(true);
      server.setUseClientMode(false);
      client.beginHandshake();
      server.beginHandshake();
      for (int i = 0;
          i < MOST_STEPS && client.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING;
          i++) {
        KafkaRenewalTest.step(client, toClient, toServer);
        KafkaRenewalTest.step(server, toServer, toClient);
      }
      for (int i = 0; i < MOST_STEPS; i++) {
        KafkaRenewalTest.step(server, toServer, toClient);
      }
      assertThat(server.getHandshakeStatus()).isEqualTo(HandshakeStatus.NOT_HANDSHAKING);
      assertThat(toClient.position()).as("a ticket").isPositive();
    }

    void readTicket() throws SSLException {
      for (int i = 0; i < MOST_STEPS; i++) {
        KafkaRenewalTest.step(client, toClient, toServer);
      }
      assertThat(toClient.position()).isZero();
    }
  }

  private void distrust() {
    bundles.updateBundle(
        TestBundles.NAME, TestBundles.bundle(null, null, new TestAuthority("other").pem()));
  }

  @Test
  void aTicketReadBeforeTheRenewalIsNotUsedAfterIt() throws SSLException {
    new Connection().readTicket();
    assertThat(callers.getClientSessionContext().getIds().hasMoreElements())
        .as("something to resume")
        .isTrue();
    distrust();
    assertThatExceptionOfType(SSLHandshakeException.class).isThrownBy(Connection::new);
  }

  @Test
  void aTicketReadAfterTheRenewalIsNotUsedEither() throws SSLException {
    Connection before = new Connection();
    distrust();
    before.readTicket();
    assertThatExceptionOfType(SSLHandshakeException.class).isThrownBy(Connection::new);
  }
}
