package io.solidus.wallet.session;

import io.solidus.wallet.store.PassphraseCost;
import java.time.Clock;
import java.time.Duration;

/**
 * How a wallet behaves; every wait has a bound.
 *
 * @param httpTimeout for one exchange with a service
 * @param patience how long a sent transfer is tried again before the wallet says that it is still
 *     in flight
 * @param retryPause between two tries
 * @param maxMailboxDelay a blob is posted after a random part of this, so that a post does not
 *     follow its payment at once
 * @param pollInterval between two looks at a registration or a mint that waits for people
 * @param passphraseCost of a new store
 */
public record WalletOptions(
    Duration httpTimeout,
    Duration patience,
    Duration retryPause,
    Duration maxMailboxDelay,
    Duration pollInterval,
    PassphraseCost passphraseCost,
    Clock clock,
    Progress progress) {
  public static WalletOptions defaults() {
    return new WalletOptions(
        Duration.ofSeconds(30),
        Duration.ofSeconds(60),
        Duration.ofMillis(500),
        Duration.ofSeconds(3),
        Duration.ofSeconds(1),
        PassphraseCost.DEFAULT,
        Clock.systemUTC(),
        Progress.NONE);
  }

  public WalletOptions withProgress(Progress listener) {
    return new WalletOptions(
        httpTimeout,
        patience,
        retryPause,
        maxMailboxDelay,
        pollInterval,
        passphraseCost,
        clock,
        listener);
  }

  public WalletOptions withMaxMailboxDelay(Duration delay) {
    return new WalletOptions(
        httpTimeout, patience, retryPause, delay, pollInterval, passphraseCost, clock, progress);
  }

  public WalletOptions withPatience(Duration wait) {
    return new WalletOptions(
        httpTimeout,
        wait,
        retryPause,
        maxMailboxDelay,
        pollInterval,
        passphraseCost,
        clock,
        progress);
  }

  public WalletOptions withRetryPause(Duration pause) {
    return new WalletOptions(
        httpTimeout,
        patience,
        pause,
        maxMailboxDelay,
        pollInterval,
        passphraseCost,
        clock,
        progress);
  }

  public WalletOptions withPassphraseCost(PassphraseCost cost) {
    return new WalletOptions(
        httpTimeout, patience, retryPause, maxMailboxDelay, pollInterval, cost, clock, progress);
  }
}
