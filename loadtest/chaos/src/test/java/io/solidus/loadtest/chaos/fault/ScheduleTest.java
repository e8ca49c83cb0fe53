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
    List<Planned> twice = first(3, 2 * ALL.size());
    assertThat(twice.subList(0, ALL.size()))
        .extracting(Planned::kind)
        .containsExactlyInAnyOrderElementsOf(ALL);
    assertThat(twice.subList(ALL.size(), twice.size()))
        .extracting(Planned::kind)
        .containsExactlyInAnyOrderElementsOf(ALL);
  }

  @Test
  void noFaultStrikesMoreAuthoritiesThanItSays() {
    assertThat(first(5, 200))
        .allSatisfy(planned ->
            assertThat(planned.authorities())
                .hasSize(planned.kind().authorities())
                .doesNotHaveDuplicates());
  }

  @Test
  void withoutOverlapFaultsComeOneAfterTheOther() {
    assertThat(acts(5, 1, 200)).allSatisfy(act -> assertThat(act.faults()).hasSize(1));
  }

  @Test
  void overlappingFaultsAreReplayedAndNoneIsLeftOut() {
    List<Act> acts = acts(9, 3, 200);
    assertThat(acts).isEqualTo(acts(9, 3, 200));
    assertThat(acts).extracting(act -> act.faults().size()).contains(1, 2, 3).doesNotContain(0, 4);
    List<Planned> all = acts.stream().flatMap(act -> act.faults().stream()).toList();
    assertThat(all.subList(0, ALL.size()))
        .extracting(Planned::kind)
        .containsExactlyInAnyOrderElementsOf(ALL);
    assertThat(all)
        .extracting(Planned::number)
        .isEqualTo(IntStream.rangeClosed(1, all.size()).boxed().toList());
  }

  @Test
  void anActMakesNoMoreAuthoritiesFaultyThanMayBeUnlessItIsMeantTo() {
    for (Act act : acts(11, 3, 2000)) {
      Set<Integer> faulty = new HashSet<>();
      act.faults().stream()
          .filter(planned -> planned.kind().hurts())
          .forEach(planned -> faulty.addAll(planned.authorities()));
      if (act.tolerated()) {
        assertThat(faulty).as(act.toString()).hasSizeLessThanOrEqualTo(1);
      }
      act.faults().stream()
          .filter(planned -> planned.kind() == FaultKind.SPLIT_RANGE)
          .forEach(
              split -> assertThat(faulty).as(act.toString()).doesNotContain(split.authority()));
    }
  }

  @Test
  void noTwoFaultsOfAnActTakeTheSamePart() {
    for (Act act : acts(13, 3, 2000)) {
      List<FaultKind.Part> parts =
          act.faults().stream().flatMap(planned -> planned.kind().parts().stream()).toList();
      assertThat(parts).as(act.toString()).doesNotHaveDuplicates();
      // what waits for traffic strikes before anything can stop it
      assertThat(act.faults().stream().skip(1)).noneMatch(planned -> planned.kind().needsTraffic());
    }
  }

  private static List<Planned> first(long seed, int count) {
    return acts(seed, 1, count).stream().map(act -> act.faults().getFirst()).toList();
  }

  private static List<Act> acts(long seed, int overlap, int count) {
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
