package io.solidus.wallet.gateway;

import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import java.net.URI;
import java.util.Map;

/**
 * What a gateway says about itself. Only conveniences: nothing is trusted because it stands here.
 *
 * @param services base URLs by name: registration, sanctions, issuance; for a wallet that is being
 *     made
 */
public record GatewayInfo(
    NetworkId network, NetworkKind kind, String currency, Map<String, URI> services) {
  public GatewayInfo {
    services = Map.copyOf(services);
  }
}
