package io.solidus.dev.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.sandbox.demo.DemoReport;
import io.solidus.dev.sandbox.demo.StepResult;
import io.solidus.dev.sandbox.demo.Story;
import io.solidus.dev.sandbox.operators.SanctionLists;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.dev.testkit.RepositoryFiles;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the demo of an unregulated network on the whole platform. */
@Tag("process")
class UnregulatedStoryTest {
  private static final int PORT_SHIFT = 7_000;

  @TempDir private Path folder;

  @Test
  void theDemoOfAnUnregulatedNetworkPasses() throws Exception {
    SandboxOptions options =
        SandboxOptions.development(
                folder.resolve("data"), RepositoryFiles.kafkaLibrary(), PORT_SHIFT, 1)
            .unregulated();
    System.setProperty("solidus.sandbox.logs", options.data().resolve("logs").toString());
    Story story =
        new Story(options, SanctionLists.of(folder.resolve("lists"), null, null), System.out);
    DemoReport report = story.tell(true);
    assertThat(report.steps().stream().filter(step -> !step.ok()).map(StepResult::toString))
        .isEmpty();
    assertThat(report.steps().stream().map(StepResult::name))
        .containsExactly(
            "up",
            "mint-alice",
            "pay-alice-bob",
            "pay-on-bob-carol",
            "refuse-double-spend",
            "restore-alice",
            "redeem-carol",
            "reconcile");
    assertThat(report.supply()).isNotNull();
    assertThat(report.supply().redeemedMinor()).isEqualTo(12_000);
    assertThat(report.ok()).isTrue();
  }
}
