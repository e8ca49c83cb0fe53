package io.solidus.wallet.gateway;

import io.solidus.protocol.Digest32;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.ServicePins;
import io.solidus.wallet.model.WalletProfile;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules for connections to services: HTTPS, with the network's keys where they are known. */
public final class Connections {
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}|\\[::1]");

  private Connections() {}

  /**
   * A client for the services of a network.
   *
   * @param keys SHA-256 of the public keys of the services' certificates; empty for every
   *     certificate that the device trusts
   * @param proxy null for none
   */
  public static HttpClient client(
      Duration connectTimeout, Set<Digest32> keys, @Nullable ProxySelector proxy) {
    return client(connectTimeout, keys, proxy, null);
  }

  static HttpClient client(
      Duration connectTimeout,
      Set<Digest32> keys,
      @Nullable ProxySelector proxy,
      @Nullable KeyStore trusted) {
    HttpClient.Builder builder =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(connectTimeout);
    if (proxy != null) {
      builder.proxy(proxy);
    }
    return keys.isEmpty()
        ? builder.build()
        : builder.sslContext(PinnedTrust.context(keys, trusted)).build();
  }

  /**
   * Requires HTTPS, or plain HTTP to this machine.
   *
   * @throws WalletException {@code insecure-address}
   */
  static void requireSafe(URI address) {
    if (address.getHost() == null || !(isHttps(address) || isPlainLoopback(address))) {
      throw insecure(address);
    }
  }

  /**
   * Requires HTTPS and known keys for all services of a real network's wallet, and for a
   * development network's HTTPS, or plain HTTP to this machine.
   *
   * @throws WalletException {@code insecure-address} or {@code manifest-untrusted}
   */
  public static void requireSecured(WalletProfile profile) {
    ServicePins pins = profile.services();
    for (URI service :
        List.of(profile.gateway(), pins.registration(), pins.sanctions(), pins.issuance())) {
      requireSafe(service);
      if (!profile.isDevelopment() && !isHttps(service)) {
        throw insecure(service);
      }
    }
    if (!profile.isDevelopment() && pins.tlsKeys().isEmpty()) {
      throw new WalletException(
          WalletError.MANIFEST_UNTRUSTED, "the keys of the network's services are not known");
    }
  }

  private static boolean isHttps(URI address) {
    return "https".equalsIgnoreCase(address.getScheme());
  }

  private static boolean isPlainLoopback(URI address) {
    return "http".equalsIgnoreCase(address.getScheme())
        && LOOPBACK.matcher(address.getHost()).matches();
  }

  private static WalletException insecure(URI address) {
    return new WalletException(
        WalletError.INSECURE_ADDRESS,
        "'"
            + address
            + "' is not an address of the form https://HOST; plain http is for services on this"
            + " machine, in a wallet with development keys");
  }
}
