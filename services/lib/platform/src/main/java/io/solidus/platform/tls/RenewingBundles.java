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
 * Bundles whose users need not know of renewals. What {@link #getBundle} returns stays the same
 * object and has, from its next handshake on, the certificate and the trust that were taken last. A
 * renewal that cannot be used is refused: nobody hears of it, everything goes on with what there
 * was, and the log and {@code solidus.tls.stale.status} tell. They also tell when somebody who
 * hears of a renewal fails to take it, as Tomcat may; everybody else has it then.
 */
public final class RenewingBundles extends DefaultSslBundleRegistry {
  private static final Logger log = LoggerFactory.getLogger(RenewingBundles.class);

  private final Clock clock;
  private final CertificateFiles files;
  private final Map<String, RenewingBundle> bundles = new ConcurrentHashMap<>();

  /**
   * @param clock by which a certificate has ended
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
    return known != null ? known : super.getBundle(name); // which says that there is none
  }

  /**
   * Of a bundle that is watched this is called by the watcher's thread, when its files have not
   * changed for a while.
   */
  @Override
  public void updateBundle(String name, SslBundle renewed) {
    RenewingBundle known = bundles.get(name);
    if (known == null) {
      super.updateBundle(name, renewed);
      return;
    }
    Material material;
    try {
      material = RenewalCheck.of(known.getStores(), renewed, clock.instant());
      files.check(name, renewed.getStores());
    } catch (RenewalRefusedException unusable) {
      log.error(
          "the renewed TLS bundle {} is refused, and the one before stays in use: {}",
          name,
          unusable.getMessage());
      known.refuse();
      return;
    }
    known.renew(material);
    try {
      super.updateBundle(name, renewed);
    } catch (RuntimeException notTaken) {
      log.error(
          "the renewed TLS bundle {} was not taken by all who use it; until the next one REST may show the one before",
          name,
          notTaken);
      known.refuse();
      return;
    }
    log.info(
        "the TLS bundle {} is renewed; handshakes from now on use it; it trusts {}",
        name,
        trusted(material));
    known.take();
  }

  /** How many, and who: certificates of authorities are public. */
  private static String trusted(Material material) {
    X509Certificate[] authorities = material.trust().getAcceptedIssuers();
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
