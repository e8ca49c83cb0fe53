package io.solidus.dev.testkit.world;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A running clock that can be moved forward. */
public final class MovableClock extends Clock {

  private volatile Duration ahead = Duration.ZERO;

  public void forward(Duration by) {
    ahead = ahead.plus(by);
  }

  /** Back to the present, for a service that goes on with another test. */
  public void reset() {
    ahead = Duration.ZERO;
  }

  @Override
  public Instant instant() {
    return Instant.now().plus(ahead);
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
