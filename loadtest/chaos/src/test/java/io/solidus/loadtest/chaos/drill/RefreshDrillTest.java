package io.solidus.loadtest.chaos.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.protocol.Spec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Does not wait for the end of the former shares, as {@code ./solidus drill refresh} does. */
@Tag("process")
@Spec("K-09")
class RefreshDrillTest {

  @Test
  void nothingIsLostWhileTheSharesAreRefreshed(
      @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder) throws InterruptedException {
    DrillReport report =
        RefreshDrill.run(
            new RefreshDrill.Options(
                20261123, Set.of(), 2, 40, 5, Duration.ofMinutes(15), false, folder));
    assertThat(report.verdict().violations()).as("seed %d", report.seed()).isEmpty();
    assertThat(report.figures())
        .containsEntry("failed", 0L)
        .containsEntry("restored", 5)
        .containsEntry("payoutVotes", 3L);
    assertThat(report.figures().get("mostAuthoritiesAway")).isIn(0, 1);
  }
}
