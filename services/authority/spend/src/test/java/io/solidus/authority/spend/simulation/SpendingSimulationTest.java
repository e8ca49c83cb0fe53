package io.solidus.authority.spend.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import io.solidus.authority.spend.simulation.Violation.Kind;
import io.solidus.protocol.Spec;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Simulates spending in worlds drawn from seeds, with {@link Oracle} watching the invariants.
 * Properties:
 *
 * <ul>
 *   <li>{@code solidus.simulation.seeds}: how many worlds, 10,000 if absent; a million take some
 *       hours on one core
 *   <li>{@code solidus.simulation.first}: the first seed, 1 if absent
 *   <li>{@code solidus.simulation.threads}: the number of threads, 1 if absent
 *   <li>{@code solidus.simulation.seed}: runs this seed only and prints its trace
 * </ul>
 */
class SpendingSimulationTest {

  private static final long SEEDS = Long.getLong("solidus.simulation.seeds", 10_000);
  private static final long FIRST = Long.getLong("solidus.simulation.first", 1);
  private static final int THREADS = Integer.getInteger("solidus.simulation.threads", 1);

  /** With this many worlds every coverage point occurs. */
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
      assertThat(summary.covered()).containsOnlyKeys(CoveragePoint.values());
      assertThat(summary.covered().values()).allMatch(times -> times > 0);
    }
  }

  private static void replay(long seed) {
    Simulation.Run run = Simulation.run(seed, World.Setup.production().traced());
    run.trace().forEach(System.out::println);
    run.violation().ifPresent(violation -> fail(violation.getMessage()));
  }

  @Test
  void theSameSeedGivesTheSameRun() {
    World.Setup setup = World.Setup.production().traced();
    for (long seed = 1; seed <= 20; seed++) {
      List<String> once = Simulation.run(seed, setup).trace();
      assertThat(once).isNotEmpty().isEqualTo(Simulation.run(seed, setup).trace());
    }
  }

  @Test
  void aFailureReportsItsSeedAndItsTrace() throws InterruptedException {
    World.Setup setup = World.Setup.without(Mutation.QUORUM_OF_2F);
    long seed = Simulation.runAll(1, 100, 1, setup).firstBad().orElseThrow();
    assertThat(Simulation.explain(seed, setup))
        .contains(
            "seed " + seed + ": " + Kind.DOUBLE_SPEND,
            "./solidus simulate --seed " + seed,
            "signs",
            "answers");
  }

  @Test
  void withMoreThanFByzantineAuthoritiesTheOracleSeesADoubleSpend() throws InterruptedException {
    World.Setup setup = World.Setup.production().withTooManyByzantine();
    long seed = Simulation.runAll(1, 100, 1, setup).firstBad().orElseThrow();
    assertThat(Simulation.run(seed, setup).violation())
        .get()
        .extracting(Violation::kind)
        .isEqualTo(Kind.DOUBLE_SPEND);
    System.out.println("simulation: with f+1 Byzantine a double spend at seed " + seed);
  }
}
