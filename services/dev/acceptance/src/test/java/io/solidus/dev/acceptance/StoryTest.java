package io.solidus.dev.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.sandbox.demo.DemoReport;
import io.solidus.dev.sandbox.demo.StepResult;
import io.solidus.dev.sandbox.demo.Story;
import io.solidus.dev.sandbox.operators.SanctionLists;
import io.solidus.dev.sandbox.services.Sandbox;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import io.solidus.dev.testkit.RepositoryFiles;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the demo on the whole platform, then searches databases and files for secrets. */
@Tag("process")
class StoryTest {
  private static final int PORT_SHIFT = 4_000;

  /**
   * Amounts that only payer and payee may know: Alice to Bob, Bob to Carol, and Alice's payment
   * while two authorities were stopped.
   */
  private static final List<Long> PRIVATE_AMOUNTS = List.of(75_017L, 20_023L, 50_011L);

  @TempDir private Path folder;

  @Test
  void demoPassesAndLeavesNoIdentityAmountOrSecret() throws Exception {
    SandboxOptions options = options();
    System.setProperty("solidus.sandbox.logs", options.data().resolve("logs").toString());
    try (Sandbox sandbox = Sandbox.start(options, line -> {})) {
      Story story =
          new Story(options, SanctionLists.of(folder.resolve("lists"), null, null), System.out);
      DemoReport report = story.tell(false);

      assertThat(report.steps().stream().filter(step -> !step.ok()).map(StepResult::toString))
          .isEmpty();
      assertThat(report.steps().stream().map(StepResult::name))
          .containsExactly(
              "up",
              "import-sanctions",
              "register-alice",
              "register-bob",
              "register-merchant",
              "refuse-second-registration",
              "refuse-listed-person",
              "mint-alice",
              "pay-alice-bob",
              "pay-bob-carol",
              "refuse-double-spend",
              "replay-same-answer",
              "refuse-over-limit",
              "waterfall-carol",
              "policy-change-in-flight",
              "refuse-sanctioned-payee",
              "delegated-proof",
              "survive-one-validator-down",
              "redeem-bob",
              "restore-alice",
              "reconcile",
              "recover-from-two-devices");
      assertThat(report.supply()).isNotNull();
      assertThat(report.supply().balances()).isTrue();
      assertThat(report.ok()).isTrue();
      searchForCanaries(options, story.canaries());
    }
  }

  private static void searchForCanaries(SandboxOptions options, List<String> canaries)
      throws Exception {
    assertThat(canaries).hasSize(9);
    for (int authority = 1; authority <= options.authorities(); authority++) {
      String url =
          "jdbc:postgresql://127.0.0.1:" + options.ports().postgres() + "/authority_" + authority;
      assertThat(CanarySearch.inDatabase(url, canaries, PRIVATE_AMOUNTS))
          .as("authority " + authority)
          .isEmpty();
      // the search finds present values, for example the network's id in a policy
      assertThat(CanarySearch.inDatabase(url, List.of(SandboxOptions.NETWORK), List.of()))
          .isNotEmpty();
    }
    assertThat(CanarySearch.inFiles(options.data().resolve("logs"), canaries)).isEmpty();
    assertThat(CanarySearch.inFiles(options.data().resolve("logs"), List.of("sanctions")))
        .isNotEmpty();
    assertThat(CanarySearch.inFiles(options.data().resolve("kafka"), canaries)).isEmpty();
    assertThat(CanarySearch.inFiles(options.data().resolve("sign-logs"), canaries)).isEmpty();
  }

  private SandboxOptions options() {
    return SandboxOptions.development(
        folder.resolve("data"), RepositoryFiles.kafkaLibrary(), PORT_SHIFT, 2);
  }
}
