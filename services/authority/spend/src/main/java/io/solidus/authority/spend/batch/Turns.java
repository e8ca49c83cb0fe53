package io.solidus.authority.spend.batch;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * How many batches may be in the part of their work that needs a processor. A worker takes a turn
 * before it takes a batch and passes it on as soon as what is left is to wait for disks and others,
 * so that the next batch holds all that came meanwhile: the same requests in fewer and larger
 * batches. Safe for concurrent use.
 */
public final class Turns {

  private final Semaphore free;
  private final Set<Thread> holders = ConcurrentHashMap.newKeySet();

  /**
   * @param atATime at least 1
   */
  public Turns(int atATime) {
    if (atATime < 1) {
      throw new IllegalArgumentException("no turns");
    }
    this.free = new Semaphore(atATime, true);
  }

  /** Waits for a turn. Whoever holds one always ends, so this does too. */
  void take() {
    free.acquireUninterruptibly();
    holders.add(Thread.currentThread());
  }

  /** Gives up this thread's turn; nothing, when it has none any more. */
  public void passOn() {
    if (holders.remove(Thread.currentThread())) {
      free.release();
    }
  }
}
