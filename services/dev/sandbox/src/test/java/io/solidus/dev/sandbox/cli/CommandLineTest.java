package io.solidus.dev.sandbox.cli;

import io.solidus.dev.testkit.CommandLineRules;
import org.junit.jupiter.api.Test;

/** The sandbox's command line. */
class CommandLineTest {
  @Test
  void helpsAndRefuses() {
    CommandLineRules.everyCommandHelpsAndRefuses(SandboxMain.commandLine());
  }
}
