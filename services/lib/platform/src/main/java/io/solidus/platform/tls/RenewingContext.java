package io.solidus.platform.tls;

import java.security.KeyManagementException;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/**
 * A context that has another one, with sessions of its own, after each renewal. A connection made
 * before it keeps what its server sends it to resume with to the sessions of then, which nobody
 * asks any more, however late that comes. A factory of sockets stays the one it was.
 */
final class RenewingContext extends SSLContextSpi {
  private volatile SSLContext newest;

  private RenewingContext(SSLContext first) {
    this.newest = first;
  }

  /** What {@link #renew} is told of afterwards, and the context to use. */
  record Pair(RenewingContext renewing, SSLContext context) {}

  static Pair of(SSLContext first) {
    RenewingContext renewing = new RenewingContext(first);
    return new Pair(
        renewing, new SSLContext(renewing, first.getProvider(), first.getProtocol()) {});
  }

  String protocol() {
    return newest.getProtocol();
  }

  /** The one before, which engines made with it go on with. */
  SSLContext renew(SSLContext next) {
    SSLContext before = newest;
    newest = next;
    return before;
  }

  @Override
  protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
      throws KeyManagementException {
    throw new KeyManagementException("the TLS bundle has initialised it");
  }

  @Override
  protected SSLEngine engineCreateSSLEngine() {
    return newest.createSSLEngine();
  }

  @Override
  protected SSLEngine engineCreateSSLEngine(String host, int port) {
    return newest.createSSLEngine(host, port);
  }

  @Override
  protected SSLSocketFactory engineGetSocketFactory() {
    return newest.getSocketFactory();
  }

  @Override
  protected SSLServerSocketFactory engineGetServerSocketFactory() {
    return newest.getServerSocketFactory();
  }

  @Override
  protected SSLSessionContext engineGetServerSessionContext() {
    return newest.getServerSessionContext();
  }

  @Override
  protected SSLSessionContext engineGetClientSessionContext() {
    return newest.getClientSessionContext();
  }

  @Override
  protected SSLParameters engineGetDefaultSSLParameters() {
    return newest.getDefaultSSLParameters();
  }

  @Override
  protected SSLParameters engineGetSupportedSSLParameters() {
    return newest.getSupportedSSLParameters();
  }
}
