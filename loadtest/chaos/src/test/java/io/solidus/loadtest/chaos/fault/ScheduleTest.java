package io.solidus.loadtest.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.loadtest.chaos.FaultKind;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
    List<PlannedFault> twice = first(3, 2 * ALL.size());
    assertThat(twice.subList(0, ALL.size()))
        .extracting(PlannedFault::kind)
        .containsExactlyInAnyOrderElementsOf(ALL);
    assertThat(twice.subList(ALL.size(), twice.size()))
        .extracting(PlannedFault::kind)
        .containsExactlyInAnyOrderElementsOf(ALL);
  }

  @Test
  void aFaultStrikesTheNumberOfAuthoritiesOfItsKind() {
    assertThat(first(5, 200))
        .allSatisfy(planned ->
            assertThat(planned.authorities())
                .hasSize(planned.kind().authorities())
                .doesNotHaveDuplicates());
  }

  @Test
  void withoutOverlapFaultsComeOneAfterTheOther() {
    assertThat(windows(5, 1, 200)).allSatisfy(window -> assertThat(window.faults()).hasSize(1));
  }

  @Test
  void overlappingFaultsAreReplayedAndComplete() {
    List<FaultWindow> windows = windows(9, 3, 200);
    assertThat(windows).isEqualTo(windows(9, 3, 200));
    assertThat(windows)
        .extracting(window -> window.faults().size())
        .contains(1, 2, 3)
        .doesNotContain(0, 4);
    List<PlannedFault> all = windows.stream().flatMap(window -> window.faults().stream()).toList();
    assertThat(all.subList(0, ALL.size()))
        .extracting(PlannedFault::kind)
        .containsExactlyInAnyOrderElementsOf(ALL);
    assertThat(all)
        .extracting(PlannedFault::number)
        .isEqualTo(IntStream.rangeClosed(1, all.size()).boxed().toList());
  }

  @Test
  void aWindowExceedsTheFaultyAuthoritiesOnlyOnPurpose() {
    for (FaultWindow window : windows(11, 3, 2000)) {
      Set<Integer> faulty = new HashSet<>();
      window.faults().stream()
          .filter(planned -> planned.kind().hurts())
          .forEach(planned -> faulty.addAll(planned.authorities()));
      if (window.tolerated()) {
        assertThat(faulty).as(window.toString()).hasSizeLessThanOrEqualTo(1);
      }
      window.faults().stream()
          .filter(planned -> planned.kind() == FaultKind.SPLIT_RANGE)
          .forEach(
              split -> assertThat(faulty).as(window.toString()).doesNotContain(split.authority()));
    }
  }

  @Test
  void twoFaultsOfAWindowUseDifferentParts() {
    for (FaultWindow window : windows(13, 3, 2000)) {
      List<FaultKind.Part> parts =
          window.faults().stream().flatMap(planned -> planned.kind().parts().stream()).toList();
      assertThat(parts).as(window.toString()).doesNotHaveDuplicates();
      // a fault that waits for traffic strikes before others can stop it
      assertThat(window.faults().stream().skip(1))
          .noneMatch(planned -> planned.kind().needsTraffic());
    }
  }

  private static List<PlannedFault> first(long seed, int count) {
    return windows(seed, 1, count).stream().map(window -> window.faults().getFirst()).toList();
  }

  private static List<FaultWindow> windows(long seed, int overlap, int count) {
    Schedule schedule =
        new Schedule(
            seed,
            ALL,
            kind -> kind.authorities() == 0 ? List.of() : List.of(1, 2, 3, 4),
            2,
            overlap);
    return IntStream.range(0, count).mapToObj(i -> schedule.next()).toList();
  }
}
