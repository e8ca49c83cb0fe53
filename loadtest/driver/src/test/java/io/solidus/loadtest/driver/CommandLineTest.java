package io.solidus.loadtest.driver;

import io.solidus.dev.testkit.CommandLineRules;
import org.junit.jupiter.api.Test;

/** The load tests as the launcher calls them. */
class CommandLineTest {
  @Test
  void helpsAndRefuses() {
    CommandLineRules.everyCommandHelpsAndRefuses(LoadMain.commandLine());
  }
}
