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
 * An SSL context that delegates to a new context, with its own session cache, after each renewal.
 * Session tickets received on an old connection stay in the old context's cache, so they can never
 * resume a session after renewal. Socket factories stay with the context that they were made by.
 */
final class RenewingContext extends SSLContextSpi {
  private volatile SSLContext newest;

  RenewingContext(SSLContext first) {
    this.newest = first;
  }

  /** Returns this context for its users. */
  SSLContext context() {
    return new SSLContext(this, newest.getProvider(), newest.getProtocol()) {};
  }

  String protocol() {
    return newest.getProtocol();
  }

  /** Replaces the context and returns the one before, which existing engines still use. */
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
