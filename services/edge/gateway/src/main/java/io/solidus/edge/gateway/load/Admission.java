package io.solidus.edge.gateway.load;

import io.solidus.edge.gateway.GatewayProperties;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/** Bounds how many wallets' requests are worked on at a time; the next one is refused at once. */
@Component
public class Admission {
  private final Semaphore places;

  Admission(GatewayProperties properties) {
    this.places = new Semaphore(properties.maxConcurrent());
  }

  /**
   * @throws ProtocolException overloaded
   */
  public <T> T admit(Supplier<T> work) {
    if (!places.tryAcquire()) {
      throw new ProtocolException(
          RejectionCode.OVERLOADED, "the gateway is busy; try again shortly");
    }
    try {
      return work.get();
    } finally {
      places.release();
    }
  }
}
