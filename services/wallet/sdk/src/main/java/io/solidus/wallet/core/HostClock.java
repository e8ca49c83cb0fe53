package io.solidus.wallet.core;

/** The time of a machine, and the wait for one. */
public interface HostClock {
  /** Milliseconds since 1970. */
  long now();

  /** Returns at this time, or some time earlier. */
  void sleepUntil(long millis) throws InterruptedException;

  /** The machine's. */
  static HostClock system() {
    return new HostClock() {
      @Override
      public long now() {
        return System.currentTimeMillis();
      }

      @Override
      public void sleepUntil(long millis) throws InterruptedException {
        Thread.sleep(Math.max(0, millis - now()));
      }
    };
  }
}
