package io.solidus.edge.gateway.parameters;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Answer of {@code GET /v1/info}.
 *
 * @param circuitVersions by family name
 * @param proverKey X25519 key of the prover service, base64url; null when there is none
 */
record NetworkInfo(
    String networkId,
    String networkKind,
    String currency,
    int n,
    int f,
    Map<String, String> urls,
    Map<String, Integer> circuitVersions,
    @Nullable String proverKey) {
  NetworkInfo with(@Nullable String key) {
    return new NetworkInfo(networkId, networkKind, currency, n, f, urls, circuitVersions, key);
  }
}
