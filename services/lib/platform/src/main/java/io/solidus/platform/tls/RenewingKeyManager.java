package io.solidus.platform.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.function.BiFunction;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Key manager that delegates to the newest keys. A handshake makes three calls: for an alias, its
 * key, its certificates. The alias contains the number of the renewal, so that a handshake during a
 * renewal never gets the key of one and the certificate of the other.
 */
final class RenewingKeyManager extends X509ExtendedKeyManager {
  private record Generation(
      long number, X509ExtendedKeyManager keys, @Nullable X509ExtendedKeyManager before) {}

  private volatile Generation newest;

  RenewingKeyManager(X509ExtendedKeyManager first) {
    this.newest = new Generation(0, first, null);
  }

  synchronized void renew(X509ExtendedKeyManager renewed) {
    newest = new Generation(newest.number() + 1, renewed, newest.keys());
  }

  @Override
  public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
    Generation now = newest;
    return named(now, now.keys().getClientAliases(type, issuers));
  }

  @Override
  public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
    Generation now = newest;
    return named(now, now.keys().getServerAliases(type, issuers));
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
    Generation now = newest;
    return named(now, now.keys().chooseClientAlias(types, issuers, socket));
  }

  @Override
  public @Nullable String chooseServerAlias(
      String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
    Generation now = newest;
    return named(now, now.keys().chooseServerAlias(type, issuers, socket));
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    Generation now = newest;
    return named(now, now.keys().chooseEngineClientAlias(types, issuers, engine));
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String type, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    Generation now = newest;
    return named(now, now.keys().chooseEngineServerAlias(type, issuers, engine));
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    return find(alias, X509ExtendedKeyManager::getCertificateChain);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    return find(alias, X509ExtendedKeyManager::getPrivateKey);
  }

  private static @Nullable String named(Generation now, @Nullable String alias) {
    return alias == null ? null : now.number() + ":" + alias;
  }

  private static String @Nullable [] named(Generation now, String @Nullable [] aliases) {
    return aliases == null
        ? null
        : Arrays.stream(aliases).map(alias -> named(now, alias)).toArray(String[]::new);
  }

  /** Returns null, which ends the handshake, for an alias older than the last two renewals. */
  private <T> @Nullable T find(
      String named, BiFunction<X509ExtendedKeyManager, String, @Nullable T> getter) {
    Generation now = newest;
    int colon = named.indexOf(':');
    long number = Long.parseLong(named, 0, colon, 10);
    X509ExtendedKeyManager keys =
        number == now.number() ? now.keys() : number == now.number() - 1 ? now.before() : null;
    return keys == null ? null : getter.apply(keys, named.substring(colon + 1));
  }
}
