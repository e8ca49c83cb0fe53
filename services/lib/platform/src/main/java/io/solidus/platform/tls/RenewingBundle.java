package io.solidus.platform.tls;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.ssl.SslStoreBundle;

/**
 * A bundle that is always the one taken last. Its managers are made when they are first asked for,
 * and renewed with it.
 */
final class RenewingBundle implements SslBundle {
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private volatile SslBundle bundle;
  private volatile boolean stale;
  private @Nullable RenewingManagers managers;

  RenewingBundle(SslBundle first) {
    this.bundle = first;
  }

  /** For every handshake from now on. */
  synchronized void renew(Material renewed) {
    bundle = renewed.bundle();
    if (managers != null) {
      managers.renew(renewed);
    }
  }

  /** Remembers that everybody who uses the bundle has the renewal. */
  void take() {
    taken.incrementAndGet();
    stale = false;
  }

  /** Remembers that there is a renewal that cannot be used, or that somebody did not take. */
  void refuse() {
    refused.incrementAndGet();
    stale = true;
  }

  long taken() {
    return taken.get();
  }

  long refused() {
    return refused.get();
  }

  /**
   * Whether the newest renewal was refused, by all or by one who uses it, so that an older
   * certificate is in use than the files hold.
   */
  boolean isStale() {
    return stale;
  }

  @Override
  public synchronized SslManagerBundle getManagers() {
    if (managers == null) {
      managers = new RenewingManagers(Material.load(bundle));
    }
    return managers;
  }

  @Override
  public SslStoreBundle getStores() {
    return bundle.getStores();
  }

  @Override
  public SslBundleKey getKey() {
    return bundle.getKey();
  }

  @Override
  public SslOptions getOptions() {
    return bundle.getOptions();
  }

  @Override
  public String getProtocol() {
    return bundle.getProtocol();
  }
}
