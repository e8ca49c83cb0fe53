package io.solidus.authority.signer;

import io.solidus.protocol.Spec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shares that a signer signs with: that of the present epoch and, until the time that the
 * manifest states, that of the epoch before. Then the former one is overwritten, whether the signer
 * is busy or idle.
 */
@Spec("K-11")
final class SigningShares implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(SigningShares.class);
  private static final Duration CHECK = Duration.ofSeconds(1);

  /**
   * A share of the epoch before.
   *
   * @param until when it is overwritten
   */
  record Former(HeldShare held, Instant until) {}

  private final HeldShare present;
  private final Optional<Former> former;
  private final Clock clock;
  private final Thread watch;
  private boolean ended;

  SigningShares(HeldShare present, Optional<Former> former, Clock clock) {
    this.present = present;
    this.former = former;
    this.clock = clock;
    former.ifPresent(share ->
        log.info(
            "signing in epochs {} and, until {}, {}",
            present.epoch(),
            share.until(),
            share.held().epoch()));
    this.watch = Thread.ofPlatform().daemon().name("former-share").start(this::awaitEnd);
  }

  private void awaitEnd() {
    try {
      while (!endIfOver()) {
        Thread.sleep(CHECK);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  HeldShare present() {
    return present;
  }

  /** The share of the epoch before, until its time is over. */
  Optional<HeldShare> former() {
    return endIfOver() ? Optional.empty() : former.map(Former::held);
  }

  /** Overwrites the former share when its time is over. Returns whether there is none. */
  private synchronized boolean endIfOver() {
    if (former.isEmpty() || ended) {
      return true;
    }
    if (clock.instant().isBefore(former.get().until())) {
      return false;
    }
    ended = true;
    former.get().held().close();
    log.info("the share of epoch {} was overwritten", former.get().held().epoch());
    return true;
  }

  @Override
  public void close() {
    watch.interrupt();
    present.close();
    former.ifPresent(share -> share.held().close());
  }
}
