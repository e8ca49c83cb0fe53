package io.solidus.operator.sanctions;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that goes on by command only. */
final class MovableClock extends Clock {
  private volatile Instant now;

  MovableClock(String now) {
    this.now = Instant.parse(now);
  }

  void set(String instant) {
    now = Instant.parse(instant);
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException();
  }
}
