package io.solidus.wallet.session;

import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;
import io.solidus.wallet.gateway.RetryAfter;
import java.time.Duration;

/** Retries until a time limit, with a pause between the attempts. */
final class RetryPolicy {
  private final long pauseMillis;
  private final long end;

  RetryPolicy(WalletOptions options) {
    this.pauseMillis = options.retryPause().toMillis();
    this.end = System.nanoTime() + options.patience().toNanos();
  }

  /**
   * Sleeps before the next attempt, as long as the service asked for if that is longer. Throws
   * {@code lastFailure} when the time limit has passed, or would pass before the service wants to
   * be asked again.
   */
  void pause(RuntimeException lastFailure) {
    long left = end - System.nanoTime();
    Duration asked = RetryAfter.after(lastFailure);
    if (left <= 0 || asked.toNanos() > left) {
      throw lastFailure;
    }
    sleep(Math.max(pauseMillis, asked.toMillis()));
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
