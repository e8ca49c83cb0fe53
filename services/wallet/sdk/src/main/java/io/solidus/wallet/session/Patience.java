package io.solidus.wallet.session;

import io.solidus.wallet.error.WalletError;
import io.solidus.wallet.error.WalletException;

/** A bounded number of tries, with a pause between them. */
final class Patience {
  private final long pauseMillis;
  private final long end;

  Patience(WalletOptions options) {
    this.pauseMillis = options.retryPause().toMillis();
    this.end = System.nanoTime() + options.patience().toNanos();
  }

  /** Sleeps before the next try; throws what the last one failed with when time is up. */
  void pause(RuntimeException lastFailure) {
    if (System.nanoTime() >= end) {
      throw lastFailure;
    }
    sleep(pauseMillis);
  }

  static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WalletException(WalletError.TRANSFER_IN_FLIGHT, "interrupted while waiting", e);
    }
  }
}
