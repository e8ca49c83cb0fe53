package io.solidus.authority.spend.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import io.solidus.authority.spend.simulation.Violation.Kind;
import io.solidus.protocol.Spec;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Spending in worlds drawn from seeds, with the invariants of quality.md watched by {@link Oracle}.
 * Properties:
 *
 * <ul>
 *   <li>{@code solidus.simulation.seeds}: how many worlds, 10,000 if absent; a million is an
 *       evening on one core
 *   <li>{@code solidus.simulation.first}: the first seed, 1 if absent
 *   <li>{@code solidus.simulation.threads}: over how many cores they are spread, 1 if absent
 *   <li>{@code solidus.simulation.seed}: this one only, with everything that happens in it printed
 * </ul>
 */
class SpendingSimulationTest {

  private static final long SEEDS = Long.getLong("solidus.simulation.seeds", 10_000);
  private static final long FIRST = Long.getLong("solidus.simulation.first", 1);
  private static final int THREADS = Integer.getInteger("solidus.simulation.threads", 1);

  /** Enough worlds to have seen everything that can happen in one. */
  private static final long MANY = 2_000;

  @Test
  @Spec("V-09")
  void everyPromiseIsKeptInEveryWorld() throws InterruptedException {
    Long replay = Long.getLong("solidus.simulation.seed");
    if (replay != null) {
      replay(replay);
      return;
    }
    Simulation.Summary summary = Simulation.runAll(FIRST, SEEDS, THREADS, World.Setup.production());
    System.out.println("simulation: " + summary);
    summary.firstBad().ifPresent(seed -> fail(Simulation.explain(seed, World.Setup.production())));
    if (SEEDS >= MANY) {
      assertThat(summary.happenings()).containsOnlyKeys(Happening.values());
      assertThat(summary.happenings().values()).allMatch(times -> times > 0);
    }
  }

  private static void replay(long seed) {
    Simulation.Run run = Simulation.run(seed, World.Setup.production().traced());
    run.trace().forEach(System.out::println);
    run.violation().ifPresent(violation -> fail(violation.getMessage()));
  }

  @Test
  void aSeedIsOneWorld() {
    World.Setup setup = World.Setup.production().traced();
    for (long seed = 1; seed <= 20; seed++) {
      List<String> once = Simulation.run(seed, setup).trace();
      assertThat(once).isNotEmpty().isEqualTo(Simulation.run(seed, setup).trace());
    }
  }

  @Test
  void aFailureNamesItsSeedAndWhatHappened() throws InterruptedException {
    World.Setup setup = World.Setup.without(Mutation.QUORUM_OF_2F);
    long seed = Simulation.runAll(1, 100, 1, setup).firstBad().orElseThrow();
    assertThat(Simulation.explain(seed, setup))
        .contains(
            "seed " + seed + ": " + Kind.DOUBLE_SPEND,
            "-Dsolidus.simulation.seed=" + seed,
            "signs",
            "answers");
  }

  @Test
  void withMoreThanFByzantineTheHarnessSeesADoubleSpend() throws InterruptedException {
    World.Setup setup = World.Setup.production().withTooManyByzantine();
    long seed = Simulation.runAll(1, 100, 1, setup).firstBad().orElseThrow();
    assertThat(Simulation.run(seed, setup).violation())
        .get()
        .extracting(Violation::kind)
        .isEqualTo(Kind.DOUBLE_SPEND);
    System.out.println("simulation: with f+1 Byzantine a double spend at seed " + seed);
  }
}
