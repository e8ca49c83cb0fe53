package io.solidus.gateway.committee;

import io.solidus.gateway.GatewayProperties;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Asks the authorities for their shard maps at the start and from time to time, so that hardly a request has to be sent on. */
@Component
class ShardMapPoll implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(ShardMapPoll.class);

  private final Authorities authorities;
  private final Duration interval;
  private final List<Thread> workers = new ArrayList<>();
  private volatile boolean running;

  ShardMapPoll(Authorities authorities, GatewayProperties properties) {
    this.authorities = authorities;
    this.interval = properties.shardMapInterval();
  }

  @Override
  public synchronized void start() {
    running = true;
    for (int authority : authorities.indexes()) {
      workers.add(Thread.ofVirtual().name("shard-map-" + authority).start(() -> run(authority)));
    }
  }

  @Override
  public synchronized void stop() {
    running = false;
    workers.forEach(Thread::interrupt);
    workers.clear();
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  private void run(int authority) {
    try {
      while (running) {
        refresh(authority);
        Thread.sleep(interval);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void refresh(int authority) {
    try {
      authorities.refreshMap(authority);
    } catch (RuntimeException failure) {
      LOG.warn("the shard map of authority {} cannot be had: {}", authority, failure.getClass().getSimpleName());
    }
  }
}
