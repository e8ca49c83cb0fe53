package io.solidus.wallet.mailbox;

import io.solidus.protocol.Spec;
import java.security.SecureRandom;
import java.time.Duration;

/**
 * When a wallet makes its private queries. It follows from the clock, from times that were drawn
 * before, and from the wallet's being opened; from nothing that the wallet has read.
 *
 * @param queries that are due now
 * @param nextMillis when the next one is due; it belongs in the wallet's file before the first of
 *     these queries leaves
 */
@Spec("W-37")
public record QuerySchedule(int queries, long nextMillis) {
  /** Queries of a day, on average, and the most that are made at once. */
  public static final int A_DAY = 24;

  private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();

  /** Pauses are drawn up to here, so that a day has {@link #A_DAY} on average. */
  private static final long LONGEST_PAUSE_MILLIS = 2 * DAY_MILLIS / A_DAY;

  /**
   * The queries that are due. A wallet that slept makes those whose time has passed, {@link #A_DAY}
   * at most. One that was just opened makes at least one, which it takes from those of the next
   * day; without one of these left it makes none.
   *
   * @param plannedMillis when the next query is due; 0 before the first
   * @param opened whether this is the first reading since the wallet was opened
   */
  public static QuerySchedule at(
      long plannedMillis, boolean opened, long nowMillis, SecureRandom random) {
    int due = 0;
    long next = plannedMillis;
    if (next == 0 || next > nowMillis + DAY_MILLIS + LONGEST_PAUSE_MILLIS) {
      next = nowMillis; // the first one, or the clock was set back
    }
    while (next <= nowMillis && due < A_DAY) {
      due++;
      next += pause(random);
    }
    if (next <= nowMillis) {
      next = nowMillis + pause(random);
    }
    if (opened && due == 0 && next <= nowMillis + DAY_MILLIS) {
      due = 1;
      next += pause(random);
    }
    return new QuerySchedule(due, next);
  }

  private static long pause(SecureRandom random) {
    return 1 + random.nextLong(LONGEST_PAUSE_MILLIS);
  }
}
