package io.solidus.platform.limits;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/** Limits the calls that run at the same time and rejects the others as overloaded. */
public final class Bulkhead {
  private final int calls;
  private final Semaphore permits;
  private final String rejection;

  /**
   * Makes a limit.
   *
   * @param calls that may run at the same time
   * @param rejection the detail for a rejected caller
   */
  public Bulkhead(int calls, String rejection) {
    this.calls = calls;
    this.permits = new Semaphore(calls);
    this.rejection = rejection;
  }

  /**
   * Runs the work.
   *
   * @throws ProtocolException overloaded, or what the work throws
   */
  public <A> A run(Supplier<A> work) {
    return run(1, work);
  }

  /**
   * Runs the work.
   *
   * @param weight how many calls it counts for; work that is heavier than the limit runs alone
   * @throws ProtocolException overloaded, or what the work throws
   */
  public <A> A run(int weight, Supplier<A> work) {
    int taken = Math.min(weight, calls);
    if (!permits.tryAcquire(taken)) {
      throw new ProtocolException(RejectionCode.OVERLOADED, rejection);
    }
    try {
      return work.get();
    } finally {
      permits.release(taken);
    }
  }
}
