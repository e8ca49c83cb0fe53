package io.solidus.bench;

import io.solidus.testkit.CommandLineRules;
import org.junit.jupiter.api.Test;

/** The benchmarks as the launcher calls them. */
class CommandLineTest {
  @Test
  void helpsAndRefuses() {
    CommandLineRules.everyCommandHelpsAndRefuses(BenchMain.commandLine());
  }
}
