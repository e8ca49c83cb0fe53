package io.solidus.wallet;

import io.solidus.wallet.session.Progress;
import io.solidus.wallet.session.WalletOptions;
import java.time.Duration;

/** Polls at intervals until a time limit, while a wallet waits for a decision of the operator. */
final class PollTimer {
  private final long end;

  PollTimer(Duration limit) {
    this.end = System.nanoTime() + limit.toNanos();
  }

  /**
   * Sleeps until the next poll; false when the time limit has passed or the thread is interrupted.
   */
  boolean sleep(WalletOptions options) {
    if (System.nanoTime() >= end) {
      return false;
    }
    options.progress().at(Progress.Step.WAITING);
    try {
      Thread.sleep(options.pollInterval());
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
