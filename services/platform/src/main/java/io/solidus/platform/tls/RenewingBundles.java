package io.solidus.platform.tls;

import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;

/**
 * Bundles whose users need not know of renewals. What {@link #getBundle} returns stays the same object and has, from its next handshake
 * on, the certificate and the trust that were taken last. A renewal that cannot be used is refused: nobody hears of it, everything goes on
 * with what there was, and the log and {@code solidus.tls.stale.status} tell.
 */
public final class RenewingBundles extends DefaultSslBundleRegistry {
  private static final Logger log = LoggerFactory.getLogger(RenewingBundles.class);

  private final Clock clock;
  private final Map<String, RenewingBundle> bundles = new ConcurrentHashMap<>();

  /** @param clock by which a certificate has ended */
  public RenewingBundles(Clock clock) {
    this.clock = clock;
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

  /** Of a bundle that is watched this is called by the watcher's thread, when its files have not changed for a while. */
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
    } catch (RenewalRefusedException unusable) {
      known.refuse();
      log.error("the renewed TLS bundle {} is refused, and the one before stays in use: {}", name, unusable.getMessage());
      return;
    }
    known.renew(material);
    log.info("the TLS bundle {} is renewed; handshakes from now on use it", name);
    super.updateBundle(name, renewed);
  }

  Map<String, RenewingBundle> all() {
    return bundles;
  }
}
