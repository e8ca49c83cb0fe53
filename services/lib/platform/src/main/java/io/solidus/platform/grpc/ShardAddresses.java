package io.solidus.platform.grpc;

import java.util.Map;
import java.util.Optional;

/**
 * The configured addresses of one authority's shards, which the shard map does not contain: a list,
 * which may have shards that are not on the map yet, and a pattern for all others.
 *
 * @param listed host:port by shard
 * @param pattern host:port with {@code {shard}} for the number; empty for none
 */
public record ShardAddresses(Map<Integer, String> listed, String pattern) {
  private static final String NUMBER = "{shard}";

  /**
   * @throws IllegalStateException for a pattern without the shard's number
   */
  public ShardAddresses {
    listed = Map.copyOf(listed);
    if (!pattern.isEmpty() && !pattern.contains(NUMBER)) {
      throw new IllegalStateException("a pattern of shard addresses needs " + NUMBER);
    }
  }

  public Optional<String> of(int shard) {
    String address = listed.get(shard);
    if (address != null) {
      return Optional.of(address);
    }
    return pattern.isEmpty()
        ? Optional.empty()
        : Optional.of(pattern.replace(NUMBER, Integer.toString(shard)));
  }
}
