package io.solidus.sandbox;

import io.solidus.testkit.CommandLineRules;
import org.junit.jupiter.api.Test;

/** The sandbox as the launcher calls it. */
class CommandLineTest {
  @Test
  void helpsAndRefuses() {
    CommandLineRules.everyCommandHelpsAndRefuses(SandboxMain.commandLine());
  }
}
