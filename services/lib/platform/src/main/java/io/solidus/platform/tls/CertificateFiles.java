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
 * Checks that every BEGIN CERTIFICATE block of a bundle's files was loaded. Spring's parser
 * silently skips truncated blocks, so that an authority would lose its trust or a chain would be
 * shorter without notice.
 *
 * @param bundles the configured PEM bundles by their names
 */
record CertificateFiles(Map<String, PemSslBundleProperties> bundles) {
  private static final ResourceLoader FILES =
      ApplicationResourceLoader.get(new DefaultResourceLoader(), true);
  private static final Pattern BEGIN =
      Pattern.compile("-BEGIN\\s[^-]*CERTIFICATE", Pattern.CASE_INSENSITIVE);

  /**
   * Checks the files of one bundle.
   *
   * @throws RenewalRefusedException when a file has more certificates than were loaded, or is
   *     missing
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

  private static void check(@Nullable String location, @Nullable KeyStore store, String name)
      throws RenewalRefusedException {
    if (location == null || store == null) {
      return;
    }
    try {
      Resource file = FILES.getResource(location);
      if (!file.isFile()) {
        return; // only files are renewed
      }
      long begun = BEGIN.matcher(file.getContentAsString(StandardCharsets.UTF_8)).results().count();
      int loaded = certificates(store);
      if (begun > loaded) {
        throw new RenewalRefusedException(
            "of " + begun + " " + name + " only " + loaded + " can be read");
      }
    } catch (IOException | KeyStoreException e) {
      throw new RenewalRefusedException(
          "its files cannot be read (" + e.getClass().getSimpleName() + ")");
    }
  }

  private static int certificates(KeyStore store) throws KeyStoreException {
    int count = 0;
    for (String alias : Collections.list(store.aliases())) {
      count += store.isKeyEntry(alias) ? store.getCertificateChain(alias).length : 1;
    }
    return count;
  }
}
