package io.solidus.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A few faults on real processes; {@code ./solidus chaos} runs as many as one has time for. */
class ChaosTest {

  private static final List<FaultKind> KINDS =
      List.of(FaultKind.HALT_SIGNED, FaultKind.KILL_DATABASE, FaultKind.PARTITION_F_PLUS_1, FaultKind.NEW_RULES);

  @Test
  void nothingIsLostOrDoubled(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder) throws IOException, InterruptedException {
    ChaosOptions options = ChaosOptions.of(20261121, 600, folder).withKinds(KINDS).withMaxFaults(KINDS.size());
    Report report = ChaosRun.run(options);
    assertThat(report.verdict().violations()).as("seed %d", options.seed()).isEmpty();
    assertThat(report.byKind()).hasSize(KINDS.size());
    assertThat(report.kills()).isEqualTo(1);
    assertThat(report.databaseCrashes()).isEqualTo(1);
    assertThat(report.transfers()).isPositive();
    assertThat(report.repeated()).isGreaterThanOrEqualTo(3 * report.transfers());
    assertThat(report.verdict().driftMinor()).isZero();
  }
}
