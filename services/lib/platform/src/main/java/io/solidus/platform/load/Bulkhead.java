package io.solidus.platform.load;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/** Limits how many calls run at a time. A call beyond the limit is refused at once. */
public final class Bulkhead {
  private final Semaphore permits;
  private final String detail;

  /**
   * @param maxConcurrent how many calls may run at a time
   * @param detail of the refusal, a text for people
   */
  public Bulkhead(int maxConcurrent, String detail) {
    this.permits = new Semaphore(maxConcurrent);
    this.detail = detail;
  }

  /**
   * Runs a call.
   *
   * @throws ProtocolException overloaded, when as many calls run as may
   */
  public <T> T call(Supplier<T> work) {
    if (!permits.tryAcquire()) {
      throw new ProtocolException(RejectionCode.OVERLOADED, detail);
    }
    try {
      return work.get();
    } finally {
      permits.release();
    }
  }
}
