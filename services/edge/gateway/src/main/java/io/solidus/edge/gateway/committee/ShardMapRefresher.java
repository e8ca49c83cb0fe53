package io.solidus.edge.gateway.committee;

import io.solidus.edge.gateway.GatewayProperties;
import org.springframework.stereotype.Component;

/**
 * Fetches the shard maps of the authorities at the start and at intervals, so that few requests go
 * to a shard that no longer owns the serial number.
 */
@Component
class ShardMapRefresher extends PerAuthorityJob {
  private final AuthorityClient authorities;

  ShardMapRefresher(AuthorityClient authorities, GatewayProperties properties) {
    super("shard-map", authorities, properties.shardMapInterval(), properties.shardMapInterval());
    this.authorities = authorities;
  }

  @Override
  protected void run(int authority) {
    authorities.refreshMap(authority);
  }
}
