package io.solidus.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ScheduleTest {

  private static final List<FaultKind> ALL = List.of(FaultKind.values());

  @Test
  void aSeedReplaysItsSchedule() {
    assertThat(first(7, 100)).isEqualTo(first(7, 100)).isNotEqualTo(first(8, 100));
  }

  @Test
  void everyKindComesBeforeAnyComesAgain() {
    List<Planned> twice = first(3, 2 * ALL.size());
    assertThat(twice.subList(0, ALL.size())).extracting(Planned::kind).containsExactlyInAnyOrderElementsOf(ALL);
    assertThat(twice.subList(ALL.size(), twice.size())).extracting(Planned::kind).containsExactlyInAnyOrderElementsOf(ALL);
  }

  @Test
  void noFaultStrikesMoreAuthoritiesThanItSays() {
    assertThat(first(5, 200)).allSatisfy(planned -> assertThat(planned.authorities()).hasSize(planned.kind().authorities()).doesNotHaveDuplicates());
  }

  private static List<Planned> first(long seed, int count) {
    Schedule schedule = new Schedule(seed, ALL, kind -> List.of(1, 2, 3, 4), 2);
    return IntStream.range(0, count).mapToObj(i -> schedule.next()).toList();
  }
}
