package io.solidus.platform.limits;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/** Limits the calls that run at the same time and rejects the others as overloaded. */
public final class Bulkhead {
  private final Semaphore permits;
  private final String rejection;

  /**
   * Makes a limit.
   *
   * @param calls that may run at the same time
   * @param rejection the detail for a rejected caller
   */
  public Bulkhead(int calls, String rejection) {
    this.permits = new Semaphore(calls);
    this.rejection = rejection;
  }

  /**
   * Runs the work.
   *
   * @throws ProtocolException overloaded, or what the work throws
   */
  public <A> A run(Supplier<A> work) {
    if (!permits.tryAcquire()) {
      throw new ProtocolException(RejectionCode.OVERLOADED, rejection);
    }
    try {
      return work.get();
    } finally {
      permits.release();
    }
  }
}
