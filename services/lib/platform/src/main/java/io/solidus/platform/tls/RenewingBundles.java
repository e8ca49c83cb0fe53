package io.solidus.platform.tls;

import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;

/**
 * Bundles that are renewed while they are in use. {@link #getBundle} always returns the same
 * object. From the next handshake on it has the newest usable certificate and trust.
 *
 * <p>An unusable renewal is refused: no update handler is called, and the bundle before stays in
 * use. The log and {@code solidus.tls.stale.status} show it. They also show a handler that failed
 * to take a renewal, as Tomcat may; all other users have the renewal then.
 */
public final class RenewingBundles extends DefaultSslBundleRegistry {
  private static final Logger log = LoggerFactory.getLogger(RenewingBundles.class);

  private final Clock clock;
  private final CertificateFiles files;
  private final Map<String, RenewingBundle> bundles = new ConcurrentHashMap<>();

  /**
   * @param clock decides whether a certificate has expired
   * @param files of the bundles
   */
  RenewingBundles(Clock clock, CertificateFiles files) {
    this.clock = clock;
    this.files = files;
  }

  @Override
  public void registerBundle(String name, SslBundle bundle) {
    super.registerBundle(name, bundle);
    bundles.put(name, new RenewingBundle(bundle));
  }

  @Override
  public SslBundle getBundle(String name) {
    RenewingBundle known = bundles.get(name);
    return known != null ? known : super.getBundle(name); // throws
  }

  /**
   * Takes or refuses a renewal. The watcher of the bundle's files calls it when they have not
   * changed for a while.
   */
  @Override
  public void updateBundle(String name, SslBundle renewed) {
    RenewingBundle known = bundles.get(name);
    if (known == null) {
      super.updateBundle(name, renewed);
      return;
    }
    LoadedBundle loaded;
    try {
      loaded = RenewalCheck.check(known.getStores(), renewed, clock.instant());
      files.check(name, renewed.getStores());
    } catch (RenewalRefusedException e) {
      log.error(
          "the renewed TLS bundle {} is refused, and the one before stays in use: {}",
          name,
          e.getMessage());
      known.countRefused();
      return;
    }
    known.renew(loaded);
    try {
      super.updateBundle(name, renewed);
    } catch (RuntimeException e) {
      log.error(
          "the renewed TLS bundle {} was not taken by all who use it; REST may show the one before until the next renewal",
          name,
          e);
      known.countRefused();
      return;
    }
    log.info(
        "the TLS bundle {} is renewed; handshakes from now on use it; it trusts {}",
        name,
        trusted(loaded));
    known.countTaken();
  }

  /** Returns the number and the names of the trusted authorities, which are public. */
  private static String trusted(LoadedBundle loaded) {
    X509Certificate[] authorities = loaded.trust().getAcceptedIssuers();
    return authorities.length
        + ": "
        + Arrays.stream(authorities)
            .map(authority -> authority.getSubjectX500Principal().getName())
            .sorted()
            .collect(Collectors.joining("; "));
  }

  Map<String, RenewingBundle> all() {
    return bundles;
  }
}
