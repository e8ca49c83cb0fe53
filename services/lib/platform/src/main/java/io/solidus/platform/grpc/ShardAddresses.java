package io.solidus.platform.grpc;

import java.util.Map;
import java.util.Optional;

/**
 * Where the shards of one authority are. A shard map says which shard owns what and nothing about
 * machines, so addresses are a matter of configuration: a list, which may name shards that are not
 * on the map yet, and a pattern for those it does not name.
 *
 * @param listed host:port by shard
 * @param pattern host:port in which {@code {shard}} stands for the number; empty when there is none
 */
public record ShardAddresses(Map<Integer, String> listed, String pattern) {
  private static final String NUMBER = "{shard}";

  /**
   * @throws IllegalStateException for a pattern that gives all shards one address
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
