package io.solidus.edge.gateway.tokens;

import io.solidus.protocol.TokenKeyList;
import java.time.Clock;

/** The days (UTC) whose tokens count: a token is good on its own day and on the next. */
final class TokenDays {
  private TokenDays() {}

  /** The earliest day whose tokens count now, in days since 1970. */
  static long oldest(Clock clock) {
    return TokenKeyList.today(clock) - 1;
  }
}
