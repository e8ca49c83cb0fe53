package io.solidus.protocol;

import java.net.URI;

/**
 * A relay between wallets and the network's gateways, which another institution runs.
 *
 * @param address to which wallets post sealed requests
 * @param key of the gateways, to which requests are sealed
 */
public record Relay(URI address, ObliviousKey key) {}
