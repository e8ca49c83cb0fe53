package io.solidus.platform.tls;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.ssl.SslStoreBundle;

/**
 * A bundle that delegates to the newest usable renewal. Its managers are made on first use and
 * renewed with it.
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

  /** Uses a renewal for every handshake from now on. */
  synchronized void renew(LoadedBundle renewed) {
    bundle = renewed.bundle();
    if (managers != null) {
      managers.renew(renewed);
    }
  }

  /** Counts a renewal that every user of the bundle has taken. */
  void countTaken() {
    taken.incrementAndGet();
    stale = false;
  }

  /** Counts a renewal that is unusable, or that a user of the bundle did not take. */
  void countRefused() {
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
   * Whether the newest renewal was refused, by this bundle or by one of its users, so that an older
   * certificate than that of the files is in use.
   */
  boolean isStale() {
    return stale;
  }

  @Override
  public synchronized SslManagerBundle getManagers() {
    if (managers == null) {
      managers = new RenewingManagers(LoadedBundle.load(bundle));
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
