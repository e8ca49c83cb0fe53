package io.solidus.loadtest.chaos.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryScheduleTest {

  private static final long LATER = TimeUnit.MILLISECONDS.toNanos(100);

  @Test
  void asksEveryAuthorityOnceAtTheStart() {
    RetrySchedule schedule = new RetrySchedule(List.of(3, 1, 4, 2), 0);
    assertThat(schedule.takeDue(0)).containsExactly(1, 2, 3, 4);
    assertThat(schedule.takeDue(Long.MAX_VALUE)).isEmpty();
  }

  @Test
  void losesNoAuthorityWhileOneOfALowerNumberPauses() {
    RetrySchedule schedule = new RetrySchedule(List.of(1, 2, 3, 4), 0);
    schedule.takeDue(0);
    for (int authority = 2; authority <= 4; authority++) {
      schedule.again(authority, 0);
    }
    schedule.again(1, 1);
    assertThat(schedule.takeDue(LATER)).containsExactly(2, 3, 4);
    assertThat(schedule.takeDue(LATER + 1)).containsExactly(1);
  }

  @Test
  void doublesThePauseUpToItsLimit() {
    RetrySchedule schedule = new RetrySchedule(List.of(1), 0);
    assertThat(pauses(schedule, 6)).containsExactly(100L, 200L, 400L, 800L, 1500L, 1500L);
  }

  @Test
  void waitsForTheNextAuthorityOrTheLongestTime() {
    RetrySchedule schedule = new RetrySchedule(List.of(1, 2), 0);
    schedule.takeDue(0);
    assertThat(schedule.waitNanos(0, 7)).isEqualTo(7);
    schedule.again(2, 0);
    assertThat(schedule.waitNanos(LATER - 5, 7)).isEqualTo(5);
  }

  private static List<Long> pauses(RetrySchedule schedule, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> {
          schedule.takeDue(Long.MAX_VALUE);
          schedule.again(1, 0);
          return TimeUnit.NANOSECONDS.toMillis(schedule.waitNanos(0, Long.MAX_VALUE));
        })
        .toList();
  }
}
