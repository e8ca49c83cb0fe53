package io.solidus.loadtest.chaos;

import io.solidus.dev.testkit.CommandLineRules;
import io.solidus.loadtest.chaos.drill.DrillMain;
import io.solidus.loadtest.chaos.run.ChaosMain;
import org.junit.jupiter.api.Test;

/** The command lines of the fault suite and the drills. */
class CommandLineTest {
  @Test
  void theFaultSuiteHelpsAndRefuses() {
    CommandLineRules.everyCommandHelpsAndRefuses(ChaosMain.commandLine());
  }

  @Test
  void drillsHelpAndRefuse() {
    CommandLineRules.everyCommandHelpsAndRefuses(DrillMain.commandLine());
  }
}
