package io.solidus.platform.grpc;

import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.ServerTransportFilter;
import io.solidus.platform.tls.X509Managers;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.X509ExtendedTrustManager;
import org.springframework.boot.ssl.SslBundle;

/**
 * Checks a caller's certificate again when its connection is ready. A handshake that resumes a
 * session does not check it, and a session ticket is valid for a day. Without this filter a caller
 * that is no longer trusted, or whose certificate has expired, could connect for that long.
 */
final class PeerTrustFilter extends ServerTransportFilter {
  static final String RESUMED =
      "a caller resumed a session with a certificate that is no longer trusted";

  private final X509ExtendedTrustManager trust;

  /**
   * @param tls of the server; its newest trust is used for each connection
   */
  PeerTrustFilter(SslBundle tls) {
    this.trust = X509Managers.trust(tls);
  }

  /**
   * Checks the certificate of a connection.
   *
   * @throws SecurityException which ends the connection before its first call
   */
  @Override
  public Attributes transportReady(Attributes transport) {
    SSLSession session = transport.get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
    if (session != null) {
      check(session);
    }
    return transport;
  }

  private void check(SSLSession session) {
    try {
      Certificate[] shown = session.getPeerCertificates();
      X509Certificate[] chain = Arrays.copyOf(shown, shown.length, X509Certificate[].class);
      trust.checkClientTrusted(chain, chain[0].getPublicKey().getAlgorithm());
    } catch (SSLPeerUnverifiedException e) {
      // no certificate: if the server requires one, the handshake has already failed
    } catch (CertificateException e) {
      throw new SecurityException(RESUMED);
    }
  }
}
