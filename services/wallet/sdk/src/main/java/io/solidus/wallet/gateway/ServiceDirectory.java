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
 * What a new wallet pins of a network's services: what its owner says, and for the rest what the
 * gateway says this one time.
 *
 * @param registration base URL, or null
 * @param sanctions base URL, or null
 * @param issuance base URL, or null
 * @param redemptionKey of the issuer's payout desk, or null
 */
public record ServiceDirectory(
    @Nullable URI registration,
    @Nullable URI sanctions,
    @Nullable URI issuance,
    @Nullable EncryptionKey redemptionKey) {
  /**
   * @param said by the gateway: base URLs by name
   * @throws WalletException when a service is named neither here nor by the gateway, or the payout
   *     desk does not tell its key
   */
  public ServicePins complete(HttpClient http, Map<String, URI> said, Duration timeout) {
    URI desk = or(issuance, said, "issuance");
    return new ServicePins(
        or(registration, said, "registration"),
        or(sanctions, said, "sanctions"),
        desk,
        redemptionKey != null
            ? redemptionKey
            : new IssuanceClient(new RestClient(http, desk, "the issuance service", timeout))
                .redemptionKey());
  }

  private static URI or(@Nullable URI given, Map<String, URI> said, String name) {
    URI base = given != null ? given : said.get(name);
    if (base == null || base.getHost() == null) {
      throw new WalletException(
          WalletError.GATEWAY_MISBEHAVED,
          "the gateway does not say where the " + name + " service is; name it yourself");
    }
    return base;
  }
}
