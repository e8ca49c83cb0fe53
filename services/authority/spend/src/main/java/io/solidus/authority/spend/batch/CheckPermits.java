package io.solidus.authority.spend.batch;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * Limits the number of batches before the end of their check, because checks use the processor. A
 * worker acquires a permit before it takes a batch. It releases the permit after the check, because
 * reserving and signing mostly wait for I/O. So the next batch holds everything that arrived
 * meanwhile: the same requests in fewer and larger batches. Safe for concurrent use.
 */
public final class CheckPermits {

  private final Semaphore free;
  private final Set<Thread> holders = ConcurrentHashMap.newKeySet();

  /**
   * Makes permits.
   *
   * @param count at least 1
   */
  public CheckPermits(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("at least one permit is needed");
    }
    this.free = new Semaphore(count, true);
  }

  /** Waits for a permit. Every holder releases its permit in the end, so this returns. */
  void acquire() {
    free.acquireUninterruptibly();
    holders.add(Thread.currentThread());
  }

  /** Releases the permit of this thread, if it still has one. */
  public void release() {
    if (holders.remove(Thread.currentThread())) {
      free.release();
    }
  }
}
