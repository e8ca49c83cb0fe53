package io.solidus.edge.gateway.parameters;

import io.solidus.wire.json.Member;
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
    @Member(min = 1) int n,
    @Member(min = 0) int f,
    Map<String, String> urls,
    Map<String, Integer> circuitVersions,
    @Member(bytes = 32, optional = true) @Nullable String proverKey) {
  NetworkInfo with(@Nullable String key) {
    return new NetworkInfo(networkId, networkKind, currency, n, f, urls, circuitVersions, key);
  }
}
