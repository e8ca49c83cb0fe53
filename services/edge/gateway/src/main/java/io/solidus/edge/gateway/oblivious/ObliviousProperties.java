package io.solidus.edge.gateway.oblivious;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Requests through a relay ({@code solidus.gateway.relay.*}).
 *
 * @param keys to which wallets seal requests, the former ones too as long as wallets use them;
 *     empty where there is no relay
 * @param tokenFile file of 32 bytes that the relay shows; strangers who are no relay could evade
 *     its limits
 */
@Validated
@ConfigurationProperties("solidus.gateway.relay")
record ObliviousProperties(@NotNull @DefaultValue List<@Valid Key> keys, @Nullable Path tokenFile) {
  ObliviousProperties {
    keys = List.copyOf(keys);
    if (!keys.isEmpty() && tokenFile == null) {
      throw new IllegalArgumentException(
          "solidus.gateway.relay: a gateway behind a relay has the relay's token-file");
    }
    if (keys.stream().map(Key::id).distinct().count() != keys.size()) {
      throw new IllegalArgumentException("solidus.gateway.relay.keys: two keys have one id");
    }
  }

  /**
   * A key.
   *
   * @param id that the network's signed services give with its public half
   * @param file of 32 bytes: the X25519 private key
   */
  record Key(@Min(0) @Max(255) int id, @NotNull Path file) {}
}
