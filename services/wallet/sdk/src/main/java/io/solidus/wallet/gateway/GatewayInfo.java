package io.solidus.wallet.gateway;

import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import java.net.URI;
import java.util.Map;

/**
 * A gateway's description of its network. It is not trusted: the wallet compares it with its pins.
 *
 * @param currency ISO 4217 code
 * @param services base URLs by name: registration, sanctions, issuance; used only to make a new
 *     wallet
 */
public record GatewayInfo(
    NetworkId network, NetworkKind kind, String currency, Map<String, URI> services) {
  public GatewayInfo {
    services = Map.copyOf(services);
  }
}
