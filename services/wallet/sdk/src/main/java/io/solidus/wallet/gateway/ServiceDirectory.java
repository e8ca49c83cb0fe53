package io.solidus.wallet.gateway;

import io.solidus.protocol.EncryptionKey;
import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.model.ServicePins;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of services that the owner of a new wallet chooses. The gateway's description
 * supplies the missing ones, once.
 *
 * @param registration base URL, or null for the gateway's choice
 * @param sanctions base URL, or null for the gateway's choice
 * @param issuance base URL, or null for the gateway's choice
 * @param redemptionKey the issuer's key for payout instructions, or null to ask the issuance
 *     service
 */
public record ServiceDirectory(
    @Nullable URI registration,
    @Nullable URI sanctions,
    @Nullable URI issuance,
    @Nullable EncryptionKey redemptionKey) {
  /**
   * The services to pin.
   *
   * @param offered base URLs by name, from the gateway's description
   * @throws WalletException {@code gateway-misbehaved} when a service is missing here and in the
   *     description; {@code gateway-unreachable} when the issuance service does not return its key
   */
  public ServicePins complete(HttpClient http, Map<String, URI> offered, Duration timeout) {
    URI issuer = choose(issuance, offered, "issuance");
    return new ServicePins(
        choose(registration, offered, "registration"),
        choose(sanctions, offered, "sanctions"),
        issuer,
        redemptionKey != null
            ? redemptionKey
            : new IssuanceClient(new RestClient(http, issuer, "the issuance service", timeout))
                .redemptionKey());
  }

  private static URI choose(@Nullable URI given, Map<String, URI> offered, String name) {
    URI base = given != null ? given : offered.get(name);
    if (base == null || base.getHost() == null) {
      throw new WalletException(
          WalletError.GATEWAY_MISBEHAVED,
          "the gateway's description lacks the address of the "
              + name
              + " service; name it yourself");
    }
    return base;
  }
}
