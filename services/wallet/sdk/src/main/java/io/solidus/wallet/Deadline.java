package io.solidus.wallet;

import io.solidus.wallet.session.Progress;
import io.solidus.wallet.session.WalletOptions;
import java.time.Duration;

/** A wait for people, looked after at intervals. */
final class Deadline {
  private final long end;

  Deadline(Duration limit) {
    this.end = System.nanoTime() + limit.toNanos();
  }

  /** Sleeps until the next look; false when time is up. */
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
