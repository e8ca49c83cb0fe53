package io.solidus.edge.gateway.tokens;

import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** The days (UTC) whose tokens count: a token is good on its own day and on the next. */
final class TokenDays {
  private TokenDays() {}

  /** The earliest day whose tokens count now, in days since 1970. */
  static long oldest(Clock clock) {
    return today(clock) - 1;
  }

  static long today(Clock clock) {
    return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).toEpochDay();
  }
}
