package io.solidus.loadtest.bench;

import io.solidus.dev.testkit.CommandLineRules;
import org.junit.jupiter.api.Test;

/** The benchmarks as the launcher calls them. */
class CommandLineTest {
  @Test
  void helpsAndRefuses() {
    CommandLineRules.everyCommandHelpsAndRefuses(BenchMain.commandLine());
  }
}
