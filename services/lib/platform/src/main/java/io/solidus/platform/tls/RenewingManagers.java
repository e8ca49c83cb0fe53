package io.solidus.platform.tls;

import io.netty.handler.ssl.util.KeyManagerFactoryWrapper;
import io.netty.handler.ssl.util.TrustManagerFactoryWrapper;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.TrustManagerFactory;
import org.springframework.boot.ssl.SslManagerBundle;

/** The key manager and trust manager of a bundle, and the contexts made with them. */
final class RenewingManagers implements SslManagerBundle {
  private final RenewingKeyManager keys;
  private final RenewingTrustManager trust;
  private final Set<RenewingContext> contexts =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  RenewingManagers(LoadedBundle first) {
    this.keys = new RenewingKeyManager(first.keys());
    this.trust = new RenewingTrustManager(first.trust());
  }

  /**
   * Uses a renewal from the next handshake on. Sessions from before are not resumed, because
   * resumption skips the check of the new certificates.
   */
  void renew(LoadedBundle renewed) {
    keys.renew(renewed.keys());
    trust.renew(renewed.trust());
    List<RenewingContext> open;
    synchronized (contexts) {
      open = new ArrayList<>(contexts);
    }
    for (RenewingContext context : open) {
      SSLContext before =
          context.renew(SslManagerBundle.super.createSslContext(context.protocol()));
      invalidate(before.getClientSessionContext()); // engines that have not connected yet use it
      invalidate(before.getServerSessionContext());
    }
  }

  private static void invalidate(SSLSessionContext sessions) {
    for (byte[] id : Collections.list(sessions.getIds())) {
      SSLSession session = sessions.getSession(id);
      if (session != null) {
        session.invalidate();
      }
    }
  }

  @Override
  public SSLContext createSslContext(String protocol) {
    RenewingContext made = new RenewingContext(SslManagerBundle.super.createSslContext(protocol));
    contexts.add(made);
    return made.context();
  }

  @Override
  public KeyManagerFactory getKeyManagerFactory() {
    return new KeyManagerFactoryWrapper(keys);
  }

  @Override
  public TrustManagerFactory getTrustManagerFactory() {
    return new TrustManagerFactoryWrapper(trust);
  }
}
