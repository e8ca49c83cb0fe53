package io.solidus.platform.tls;

import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.springframework.boot.ssl.SslBundle;

/** A loaded bundle: the certificates shown to peers and the authorities trusted in them. */
record LoadedBundle(SslBundle bundle, X509ExtendedKeyManager keys, X509ExtendedTrustManager trust) {

  /**
   * Loads a bundle.
   *
   * @throws RuntimeException of many kinds when its files cannot be read
   */
  static LoadedBundle load(SslBundle bundle) {
    return new LoadedBundle(bundle, X509Managers.keys(bundle), X509Managers.trust(bundle));
  }
}
