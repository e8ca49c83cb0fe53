package io.solidus.wallet.session;

import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;

/** Retries until a time limit, with a pause between the attempts. */
final class RetryPolicy {
  private final long pauseMillis;
  private final long end;

  RetryPolicy(WalletOptions options) {
    this.pauseMillis = options.retryPause().toMillis();
    this.end = System.nanoTime() + options.patience().toNanos();
  }

  /**
   * Sleeps before the next attempt, or throws {@code lastFailure} when the time limit has passed.
   */
  void pause(RuntimeException lastFailure) {
    if (System.nanoTime() >= end) {
      throw lastFailure;
    }
    sleep(pauseMillis);
  }

  /**
   * Sleeps.
   *
   * @throws WalletException {@code transfer-in-flight} when the thread is interrupted
   */
  static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WalletException(WalletError.TRANSFER_IN_FLIGHT, "interrupted while waiting", e);
    }
  }
}
