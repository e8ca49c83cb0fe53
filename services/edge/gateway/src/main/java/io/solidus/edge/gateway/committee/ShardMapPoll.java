package io.solidus.edge.gateway.committee;

import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.platform.time.Periodically;
import java.util.List;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Asks the authorities for their shard maps at the start and from time to time, so that hardly a
 * request has to be sent on.
 */
@Component
class ShardMapPoll implements SmartLifecycle {
  private final List<Periodically> workers;
  private volatile boolean running;

  ShardMapPoll(Authorities authorities, GatewayProperties properties) {
    this.workers =
        authorities.indexes().stream()
            .map(index ->
                new Periodically(
                    "shard-map-" + index,
                    properties.shardMapInterval(),
                    () -> authorities.refreshMap(index)))
            .toList();
  }

  @Override
  public void start() {
    running = true;
    workers.forEach(Periodically::start);
  }

  @Override
  public void stop() {
    running = false;
    Periodically.stopAll(workers);
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
