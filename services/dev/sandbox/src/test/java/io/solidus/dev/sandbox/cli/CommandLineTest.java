package io.solidus.dev.sandbox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.solidus.dev.testkit.CommandLineRules;
import org.junit.jupiter.api.Test;

/** The sandbox's command line. */
class CommandLineTest {
  @Test
  void helpsAndRefuses() {
    CommandLineRules.everyCommandHelpsAndRefuses(SandboxMain.commandLine());
  }

  @Test
  void approvesAnOrganisation() {
    assertThat(
            SandboxMain.commandLine()
                .parseArgs(
                    "operator",
                    "approve-case",
                    "--data=data",
                    "--keys=keys",
                    "--kafka-lib=kafka",
                    "--organisation",
                    "CASE")
                .subcommand()
                .subcommand()
                .hasMatchedOption("--organisation"))
        .isTrue();
  }
}
