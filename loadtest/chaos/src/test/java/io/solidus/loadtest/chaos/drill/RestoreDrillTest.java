package io.solidus.loadtest.chaos.drill;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The case with the most steps; {@code ./solidus drill restore} runs all cases. */
@Tag("process")
@Tag("long")
class RestoreDrillTest {

  @Test
  void anOldBackupSignsNothingUntilItHasCaughtUp(
      @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder) throws InterruptedException {
    DrillReport report =
        RestoreDrill.run(
            new RestoreDrill.Options(
                20261122, List.of(RestoreCase.OLD_BACKUP), 20, 5, 1500, folder));
    assertThat(report.verdict().violations()).as("seed %d", report.seed()).isEmpty();
    assertThat(report.figures().get("cases"))
        .asInstanceOf(InstanceOfAssertFactories.list(Map.class))
        .singleElement()
        .satisfies(each -> {
          assertThat((List<?>) each.get("refused"))
              .as("with an old database, without a log, with an old log")
              .hasSize(3);
          assertThat((Long) each.get("paidMeanwhile")).isGreaterThanOrEqualTo(5);
          assertThat((Long) each.get("serialsMissing")).isPositive();
        });
    assertThat(report.repeated()).isGreaterThanOrEqualTo(3 * report.transfers());
  }
}
