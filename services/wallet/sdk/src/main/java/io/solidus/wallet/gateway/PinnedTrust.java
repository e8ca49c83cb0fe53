package io.solidus.wallet.gateway;

import io.solidus.protocol.Digest32;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trusts a server that the device trusts and whose own certificate has one of the network's keys.
 * The other certificates that a server presents do not count: anybody can present them.
 */
final class PinnedTrust extends X509ExtendedTrustManager {
  private final X509ExtendedTrustManager device;
  private final Set<Digest32> keys;

  private PinnedTrust(X509ExtendedTrustManager device, Set<Digest32> keys) {
    this.device = device;
    this.keys = Set.copyOf(keys);
  }

  /**
   * A context for connections to the network's services.
   *
   * @param keys SHA-256 of the public keys (SubjectPublicKeyInfo) of their certificates
   * @param trusted the trusted certificate authorities; null for those of the device
   */
  static SSLContext context(Set<Digest32> keys, @Nullable KeyStore trusted) {
    try {
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(trusted);
      X509ExtendedTrustManager device =
          Arrays.stream(factory.getTrustManagers())
              .filter(X509ExtendedTrustManager.class::isInstance)
              .map(X509ExtendedTrustManager.class::cast)
              .findFirst()
              .orElseThrow();
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new PinnedTrust(device, keys)}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime lacks TLS", e);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    device.checkServerTrusted(chain, type, engine);
    requireKey(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    device.checkServerTrusted(chain, type, socket);
    requireKey(chain);
  }

  /** Without the server's name, which the certificate must have. */
  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw new CertificateException("the server's name is not known");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    checkClientTrusted(chain, type);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    checkClientTrusted(chain, type);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw new CertificateException("a wallet has no clients");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return device.getAcceptedIssuers();
  }

  private void requireKey(X509Certificate[] chain) throws CertificateException {
    if (!keys.contains(Digest32.sha256(chain[0].getPublicKey().getEncoded()))) {
      throw new CertificateException("the certificate has none of the network's keys");
    }
  }
}
