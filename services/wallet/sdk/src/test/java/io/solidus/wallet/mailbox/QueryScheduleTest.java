package io.solidus.wallet.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.Spec;
import java.security.SecureRandom;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * When a wallet asks: its arguments are all that the times depend on, and no mail is among them.
 */
@Spec("W-37")
class QueryScheduleTest {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long DAY = Duration.ofDays(1).toMillis();
  private static final long NOW = 1_000 * DAY;

  private static QuerySchedule at(long planned, boolean opened, long now) {
    return QuerySchedule.at(planned, opened, now, RANDOM);
  }

  @Test
  void theFirstReadingAsksOnceAndDrawsTheNextTime() {
    for (boolean opened : new boolean[] {true, false}) {
      QuerySchedule first = at(0, opened, NOW);
      assertThat(first.queries()).isEqualTo(1);
      assertThat(first.nextMillis()).isBetween(NOW + 1, NOW + 2 * HOUR);
    }
  }

  @Test
  void nothingIsDueBeforeItsTime() {
    assertThat(at(NOW + 1, false, NOW)).isEqualTo(new QuerySchedule(0, NOW + 1));
    assertThat(at(NOW, false, NOW).queries()).isPositive();
  }

  /** However long it slept, and a day's worth at most. */
  @Test
  void whatWasMissedIsMadeUpForUpToADay() {
    QuerySchedule slept = at(NOW - 200 * DAY, false, NOW);
    assertThat(slept.queries()).isEqualTo(QuerySchedule.A_DAY);
    assertThat(slept.nextMillis()).isBetween(NOW + 1, NOW + 2 * HOUR);
    assertThat(at(NOW - 12 * HOUR, false, NOW).queries()).isBetween(3, QuerySchedule.A_DAY);
  }

  /** Opening takes a query from the next day's, so a day has no more of them on average. */
  @Test
  void whoOpensTheWalletAgainAndAgainAsksNoMoreThanADaysQueries() {
    long next = NOW + 1;
    int asked = 0;
    for (int i = 0; i < 500; i++) {
      QuerySchedule opened = at(next, true, NOW);
      asked += opened.queries();
      next = opened.nextMillis();
    }
    assertThat(asked).isBetween(12, 72);
    assertThat(next).isBetween(NOW + DAY, NOW + DAY + 2 * HOUR);
    assertThat(at(next, true, NOW)).isEqualTo(new QuerySchedule(0, next));
    assertThat(at(next, false, next).queries()).isPositive();
  }

  @Test
  void aDayHasTwentyFourOnAverage() {
    long next = NOW;
    int asked = 0;
    for (long now = NOW; now < NOW + 100 * DAY; now += HOUR / 4) {
      QuerySchedule due = at(next, false, now);
      asked += due.queries();
      next = due.nextMillis();
    }
    assertThat(asked).isBetween(2_100, 2_700);
  }

  /** Otherwise a clock that was a year ahead for a moment would end the reading for a year. */
  @Test
  void aClockThatWasSetBackDoesNotEndTheQueries() {
    QuerySchedule due = at(NOW + 365 * DAY, false, NOW);
    assertThat(due.queries()).isEqualTo(1);
    assertThat(due.nextMillis()).isBetween(NOW + 1, NOW + 2 * HOUR);
  }
}
