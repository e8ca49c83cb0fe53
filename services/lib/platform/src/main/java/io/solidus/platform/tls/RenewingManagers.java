package io.solidus.platform.tls;

import java.security.KeyStore;
import java.security.Provider;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.KeyManagerFactorySpi;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.TrustManagerFactorySpi;
import org.springframework.boot.ssl.SslManagerBundle;

/**
 * One manager of keys and one of trust, for as long as the process runs, and the contexts made with
 * them.
 */
final class RenewingManagers implements SslManagerBundle {
  private static final String ALGORITHM = "Renewing";
  private static final Provider NOBODYS =
      new Provider(ALGORITHM, "1", "managers that follow renewals") {};

  private final RenewingKeyManager keys;
  private final RenewingTrustManager trust;
  private final Set<RenewingContext> contexts =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  RenewingManagers(Material first) {
    this.keys = new RenewingKeyManager(first.keys());
    this.trust = new RenewingTrustManager(first.trust());
  }

  /**
   * A session from before must not spare anybody a look at the new certificates, so none is
   * resumed.
   */
  void renew(Material renewed) {
    keys.renew(renewed.keys());
    trust.renew(renewed.trust());
    List<RenewingContext> open;
    synchronized (contexts) {
      open = new ArrayList<>(contexts);
    }
    for (RenewingContext context : open) {
      SSLContext before =
          context.renew(SslManagerBundle.super.createSslContext(context.protocol()));
      forget(before.getClientSessionContext()); // an engine that has not begun yet would ask it
      forget(before.getServerSessionContext());
    }
  }

  private static void forget(SSLSessionContext sessions) {
    for (byte[] id : Collections.list(sessions.getIds())) {
      SSLSession session = sessions.getSession(id);
      if (session != null) {
        session.invalidate();
      }
    }
  }

  @Override
  public SSLContext createSslContext(String protocol) {
    RenewingContext.Pair made =
        RenewingContext.of(SslManagerBundle.super.createSslContext(protocol));
    contexts.add(made.renewing());
    return made.context();
  }

  @Override
  public KeyManagerFactory getKeyManagerFactory() {
    return new KeyManagerFactory(new Keys(), NOBODYS, ALGORITHM) {};
  }

  @Override
  public TrustManagerFactory getTrustManagerFactory() {
    return new TrustManagerFactory(new Trust(), NOBODYS, ALGORITHM) {};
  }

  private final class Keys extends KeyManagerFactorySpi {
    @Override
    protected void engineInit(KeyStore store, char[] password) {}

    @Override
    protected void engineInit(ManagerFactoryParameters parameters) {}

    @Override
    protected KeyManager[] engineGetKeyManagers() {
      return new KeyManager[] {keys};
    }
  }

  private final class Trust extends TrustManagerFactorySpi {
    @Override
    protected void engineInit(KeyStore store) {}

    @Override
    protected void engineInit(ManagerFactoryParameters parameters) {}

    @Override
    protected TrustManager[] engineGetTrustManagers() {
      return new TrustManager[] {trust};
    }
  }
}
