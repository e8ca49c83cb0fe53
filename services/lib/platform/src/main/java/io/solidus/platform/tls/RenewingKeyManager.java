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
 * What to show, by the keys taken last. A handshake asks three times: for an alias, its key, its
 * certificates. The alias names the renewal it is of, so that a handshake in whose midst the keys
 * are renewed does not get the key of one and the certificate of the other.
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
    return of(alias, X509ExtendedKeyManager::getCertificateChain);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    return of(alias, X509ExtendedKeyManager::getPrivateKey);
  }

  private static @Nullable String named(Generation now, @Nullable String alias) {
    return alias == null ? null : now.number() + ":" + alias;
  }

  private static String @Nullable [] named(Generation now, String @Nullable [] aliases) {
    return aliases == null
        ? null
        : Arrays.stream(aliases).map(alias -> named(now, alias)).toArray(String[]::new);
  }

  /** Null, which ends the handshake, for what is older than the renewal before the last. */
  private <T> @Nullable T of(
      String named, BiFunction<X509ExtendedKeyManager, String, @Nullable T> question) {
    Generation now = newest;
    int colon = named.indexOf(':');
    long number = Long.parseLong(named, 0, colon, 10);
    X509ExtendedKeyManager keys =
        number == now.number() ? now.keys() : number == now.number() - 1 ? now.before() : null;
    return keys == null ? null : question.apply(keys, named.substring(colon + 1));
  }
}
