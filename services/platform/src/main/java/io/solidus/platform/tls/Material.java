package io.solidus.platform.tls;

import java.util.Arrays;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslManagerBundle;

/** A bundle, loaded: what is shown to peers and whom of them to believe. */
record Material(SslBundle bundle, X509ExtendedKeyManager keys, X509ExtendedTrustManager trust) {

  /** @throws RuntimeException of many kinds when its files cannot be read */
  static Material load(SslBundle bundle) {
    SslManagerBundle managers = bundle.getManagers();
    return new Material(
        bundle,
        one(X509ExtendedKeyManager.class, managers.getKeyManagers()),
        one(X509ExtendedTrustManager.class, managers.getTrustManagers()));
  }

  private static <T> T one(Class<T> type, Object[] managers) {
    return Arrays.stream(managers)
        .filter(type::isInstance)
        .map(type::cast)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("the TLS bundle has no " + type.getSimpleName()));
  }
}
