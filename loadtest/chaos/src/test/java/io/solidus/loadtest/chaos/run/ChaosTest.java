package io.solidus.loadtest.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.RepositoryFiles;
import io.solidus.loadtest.chaos.ChaosOptions;
import io.solidus.loadtest.chaos.FaultKind;
import io.solidus.loadtest.chaos.oracle.EventCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A short run of the fault suite; {@code ./solidus chaos} runs any number of faults. */
@Tag("process")
class ChaosTest {

  private static final List<FaultKind> KINDS =
      List.of(
          FaultKind.HALT_SIGNED,
          FaultKind.KILL_DATABASE,
          FaultKind.PARTITION_F_PLUS_1,
          FaultKind.NEW_RULES,
          FaultKind.KILL_KAFKA,
          FaultKind.KILL_PUBLISHED,
          FaultKind.POWER_LOSS,
          FaultKind.FAIL_OVER,
          FaultKind.CLOCK_JUMP,
          FaultKind.LIE);

  @Test
  void nothingIsLostOrDoubled(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder)
      throws IOException, InterruptedException {
    ChaosOptions options =
        ChaosOptions.of(20261121, 300, folder)
            .withKinds(KINDS)
            .withLength(new ChaosOptions.Length(600, KINDS.size(), 1, 0))
            // so few payments that two processors restart a process in seconds
            .withCrowd(new ChaosOptions.Crowd(8, 2, 1500))
            .withKafka(RepositoryFiles.kafkaLibrary())
            .withSelfTest(true);
    Report report = ChaosRun.run(options);
    assertThat(report.verdict().violations()).as("seed %d", options.seed()).isEmpty();
    assertThat(report.byKind().keySet())
        .containsExactlyInAnyOrderElementsOf(
            KINDS.stream()
                .map(FaultKind::label)
                .filter(kind -> !report.skipped().containsKey(kind))
                .toList());
    assertThat(report.lies()).isPositive();
    assertThat(report.coverage().kills()).isEqualTo(2);
    assertThat(report.coverage().databaseCrashes()).isEqualTo(1);
    assertThat(report.coverage().brokerCrashes()).isEqualTo(1);
    // one while Kafka was down, and a policy and a checkpoint by Kafka alone at the end
    assertThat(report.factsArrived()).isEqualTo(3);
    EventCheck events = Objects.requireNonNull(report.events());
    assertThat(events.written()).isPositive();
    assertThat(events.lost()).isZero();
    assertThat(events.repeated())
        .as("a relay that dies before it marks an event sends it again")
        .isPositive();
    assertThat(report.transfers()).isPositive();
    assertThat(report.repeated()).isGreaterThanOrEqualTo(3 * report.transfers());
    assertThat(report.verdict().driftMinor()).isZero();
  }
}
