package io.solidus.platform.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.util.Collections;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.ssl.PemSslBundleProperties;
import org.springframework.boot.io.ApplicationResourceLoader;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;

/**
 * Whether every certificate that a file begins was loaded. Spring's parser passes over one that is
 * cut and is content with those that are left: an authority would be trusted no longer, or a chain
 * be shorter, and nobody would know.
 *
 * @param bundles of PEM, by their names, as they are configured
 */
record CertificateFiles(Map<String, PemSslBundleProperties> bundles) {
  private static final ResourceLoader FILES =
      ApplicationResourceLoader.get(new DefaultResourceLoader(), true);
  private static final Pattern BEGIN =
      Pattern.compile("-BEGIN\\s[^-]*CERTIFICATE", Pattern.CASE_INSENSITIVE);

  /**
   * @throws RenewalRefusedException when a file of the bundle begins more certificates than were
   *     loaded, or is gone
   */
  void check(String name, SslStoreBundle loaded) throws RenewalRefusedException {
    PemSslBundleProperties configured = bundles.get(name);
    if (configured != null) {
      check(
          configured.getKeystore().getCertificate(), loaded.getKeyStore(), "certificates to show");
      check(
          configured.getTruststore().getCertificate(),
          loaded.getTrustStore(),
          "certificates to trust");
    }
  }

  private static void check(@Nullable String location, @Nullable KeyStore store, String what)
      throws RenewalRefusedException {
    if (location == null || store == null) {
      return;
    }
    try {
      Resource file = FILES.getResource(location);
      if (!file.isFile()) {
        return; // what is no file is not renewed
      }
      long begun = BEGIN.matcher(file.getContentAsString(StandardCharsets.UTF_8)).results().count();
      int held = certificates(store);
      if (begun > held) {
        throw new RenewalRefusedException(
            "of " + begun + " " + what + " only " + held + " can be read");
      }
    } catch (IOException | KeyStoreException unreadable) {
      throw new RenewalRefusedException(
          "its files cannot be read (" + unreadable.getClass().getSimpleName() + ")");
    }
  }

  private static int certificates(KeyStore store) throws KeyStoreException {
    int held = 0;
    for (String alias : Collections.list(store.aliases())) {
      held += store.isKeyEntry(alias) ? store.getCertificateChain(alias).length : 1;
    }
    return held;
  }
}
