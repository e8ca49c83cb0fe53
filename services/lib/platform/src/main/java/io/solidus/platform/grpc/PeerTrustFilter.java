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
 * Looks at a caller's certificate once more when his connection is made. A handshake that resumes a
 * session looks at none, and its ticket is good for a day: whoever is trusted no longer, or whose
 * certificate has ended, would come in for that long.
 */
final class PeerTrustFilter extends ServerTransportFilter {
  static final String RESUMED =
      "a caller resumed a session with a certificate that is not trusted any more";

  private final X509ExtendedTrustManager trust;

  /**
   * @param tls of the server; one that is renewed is asked as it is then
   */
  PeerTrustFilter(SslBundle tls) {
    this.trust = X509Managers.trust(tls);
  }

  /**
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
    } catch (SSLPeerUnverifiedException nothingAskedFor) {
      // where certificates are required, the handshake has seen to it
    } catch (CertificateException nobodyOfOurs) {
      throw new SecurityException(RESUMED);
    }
  }
}
