package io.solidus.loadtest.chaos.drill;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Replaces one authority and both gateways; {@code ./solidus drill upgrade} replaces all. */
@Tag("process")
@Tag("long")
class UpgradeDrillTest {

  @Test
  void noPaymentFailsWhileEverythingIsReplaced(
      @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder) throws InterruptedException {
    DrillReport report =
        UpgradeDrill.run(new UpgradeDrill.Options(20261122, Set.of(1), Set.of(), 4, 60, folder));
    assertThat(report.verdict().violations()).as("seed %d", report.seed()).isEmpty();
    assertThat(report.transfers()).isPositive();
    assertThat(report.figures().get("failed")).isEqualTo(0L);
    assertThat(report.repeated()).isGreaterThanOrEqualTo(3 * report.transfers());
  }
}
