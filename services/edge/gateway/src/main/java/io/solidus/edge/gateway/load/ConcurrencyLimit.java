package io.solidus.edge.gateway.load;

import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/** Bounds the number of requests processed at the same time and rejects further ones at once. */
@Component
public class ConcurrencyLimit {
  private final Semaphore permits;

  ConcurrencyLimit(GatewayProperties properties) {
    this.permits = new Semaphore(properties.maxConcurrent());
  }

  /**
   * Runs the work while a permit is held.
   *
   * @throws ProtocolException overloaded when no permit is free
   */
  public <T> T run(Supplier<T> work) {
    if (!permits.tryAcquire()) {
      throw new ProtocolException(
          RejectionCode.OVERLOADED, "the gateway is busy; try again shortly");
    }
    try {
      return work.get();
    } finally {
      permits.release();
    }
  }
}
