package io.solidus.platform.tls;

import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.springframework.boot.ssl.SslBundle;

/** A bundle, loaded: what is shown to peers and whom of them to believe. */
record Material(SslBundle bundle, X509ExtendedKeyManager keys, X509ExtendedTrustManager trust) {

  /**
   * @throws RuntimeException of many kinds when its files cannot be read
   */
  static Material load(SslBundle bundle) {
    return new Material(bundle, X509Managers.keys(bundle), X509Managers.trust(bundle));
  }
}
