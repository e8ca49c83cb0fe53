package io.solidus.wallet.session;

import io.solidus.protocol.Relay;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.GatewayClient;
import io.solidus.wallet.gateway.RelayedExchange;
import io.solidus.wallet.gateway.RestClient;
import io.solidus.wallet.gateway.TokenSource;
import io.solidus.wallet.model.WalletProfile;
import io.solidus.wallet.trust.SignedServices;
import java.net.http.HttpClient;
import java.util.Optional;

/** How a wallet or a till reaches its gateway: through the network's relay, or directly. */
public final class GatewayAccess {
  private static final String NAME = "the gateway";

  private GatewayAccess() {}

  /**
   * A client of the profile's gateway.
   *
   * @param tokens of a registered wallet
   * @throws WalletException {@code insecure-address}, {@code manifest-untrusted}
   */
  public static GatewayClient open(
      HttpClient http, WalletProfile profile, WalletOptions options, TokenSource tokens) {
    RestClient direct = new RestClient(http, profile.gateway(), NAME, options.httpTimeout());
    Optional<Relay> relay =
        options.relay().off()
            ? Optional.empty()
            : SignedServices.relay(profile, options.relay().unsigned());
    return relay
        .map(one -> new RelayedExchange(http, one, options.clock(), options.httpTimeout()))
        .map(exchange ->
            new GatewayClient(
                new RestClient(http, profile.gateway(), NAME, options.httpTimeout(), exchange),
                direct,
                tokens))
        .orElseGet(() -> new GatewayClient(direct, direct, tokens));
  }
}
