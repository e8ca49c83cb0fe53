package io.solidus.platform.tls;

import java.util.Arrays;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.springframework.boot.ssl.SslBundle;

/** The managers of a bundle that handshakes use: the first of their type. */
public final class X509Managers {
  private X509Managers() {}

  /**
   * Returns the key manager.
   *
   * @throws IllegalStateException when the bundle has none
   */
  static X509ExtendedKeyManager keys(SslBundle bundle) {
    return first(X509ExtendedKeyManager.class, bundle.getManagers().getKeyManagers());
  }

  /**
   * Returns the trust manager. That of a renewing bundle is renewed with it.
   *
   * @throws IllegalStateException when the bundle has none
   */
  public static X509ExtendedTrustManager trust(SslBundle bundle) {
    return first(X509ExtendedTrustManager.class, bundle.getManagers().getTrustManagers());
  }

  private static <T> T first(Class<T> type, Object[] managers) {
    return Arrays.stream(managers)
        .filter(type::isInstance)
        .map(type::cast)
        .findFirst()
        .orElseThrow(
            () -> new IllegalStateException("the TLS bundle has no " + type.getSimpleName()));
  }
}
