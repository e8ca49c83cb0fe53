package io.solidus.authority.spend.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** With any one of the guards removed some seed fails. */
class SpendingMutationTest {

  private static final long BOUND = 5_000;

  /**
   * The signer checks the reservations itself and so hides these mutants. They run with that check
   * removed too, and without a stolen token.
   */
  private static final EnumSet<PipelineMutant> BEHIND_THE_SIGNER =
      EnumSet.of(
          PipelineMutant.SIBLINGS_NOT_AWAITED,
          PipelineMutant.SIBLINGS_NOT_RESERVED,
          PipelineMutant.OWN_NOT_RESERVED,
          PipelineMutant.SIGN_BEFORE_RESERVING,
          PipelineMutant.REFUSAL_OF_RESERVATION_IGNORED);

  private static final World.Setup SIGNER_TRUSTS =
      World.Setup.without(Mutation.SIGNER_IGNORES_RESERVATIONS).withoutStolenToken();

  @ParameterizedTest
  @EnumSource
  void aSeedFailsWithoutAGuardOfTheWorld(Mutation mutation) throws InterruptedException {
    requireFound(mutation.name(), mutation.meaning(), World.Setup.without(mutation));
  }

  @ParameterizedTest
  @EnumSource
  void aSeedFailsWithoutAGuardOfThePipeline(PipelineMutant mutant, @TempDir Path folder)
      throws InterruptedException {
    assumeTrue(PipelineMutant.available(), "this Java runtime has no compiler");
    Pipelines pipelines = mutant.compile(folder);
    // hidden by the signer: alone it takes more seeds than the bound
    if (mutant != PipelineMutant.SIBLINGS_NOT_AWAITED) {
      requireFound(mutant.name(), mutant.meaning(), World.Setup.production().with(pipelines));
    }
    if (BEHIND_THE_SIGNER.contains(mutant)) {
      requireFound(
          mutant + " and the signer trusts", mutant.meaning(), SIGNER_TRUSTS.with(pipelines));
    }
  }

  /**
   * The mutants above fail for their own guard: a signer that trusts its shards is harmless while
   * the shards are correct.
   */
  @Test
  void aSignerThatTrustsCorrectShardsFailsNoSeed() throws InterruptedException {
    Simulation.Summary summary = Simulation.runAll(1, BOUND / 5, 1, SIGNER_TRUSTS);
    assertThat(summary.firstBad()).isEmpty();
  }

  private static void requireFound(String name, String meaning, World.Setup setup)
      throws InterruptedException {
    Simulation.Summary summary = Simulation.runAll(1, BOUND, 1, setup);
    assertThat(summary.firstBad())
        .as("%s (%s) survived %d seeds", name, meaning, BOUND)
        .isPresent();
    long seed = summary.firstBad().getAsLong();
    Violation.Kind kind = Simulation.run(seed, setup).violation().orElseThrow().kind();
    System.out.println("mutation | " + name + " | " + meaning + " | seed " + seed + " | " + kind);
  }
}
