package io.solidus.dev.sandbox.cli;

import io.solidus.dev.sandbox.demo.DemoReport;
import io.solidus.dev.sandbox.demo.Story;
import io.solidus.dev.sandbox.operators.SanctionLists;
import io.solidus.dev.sandbox.services.Sandbox;
import io.solidus.dev.sandbox.settings.SandboxOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** Runs the story; starts the platform if it is not running. */
@Command(name = "demo", description = "The story of a private, regulated payment.")
public final class DemoCommand implements Callable<Integer> {
  @Mixin private Location location = new Location();

  @Option(names = "--json", description = "writes the outcome of each step")
  private @Nullable Path json;

  @Option(
      names = "--un-list",
      description = "UN consolidated list (XML) instead of the invented persons")
  private @Nullable Path unList;

  @Option(
      names = "--ofac-list",
      description = "OFAC SDN list (CSV) instead of the invented persons")
  private @Nullable Path ofacList;

  @Option(
      names = "--unregulated",
      description =
          "the story on an unregulated network instead: no registration, no limits, coins; it has data of its own beside --data")
  private boolean unregulated;

  @Override
  public Integer call() throws Exception {
    SandboxOptions options = unregulated ? location.options().unregulated() : location.options();
    SanctionLists lists = SanctionLists.of(options.data().resolve("demo"), unList, ofacList);
    DemoReport report = new Story(options, lists, System.out).tell(!Sandbox.isRunning(options));
    if (json != null) {
      Files.writeString(json, JsonMapper.builder().build().writeValueAsString(report) + "\n");
    }
    System.out.println(report.ok() ? "All is well." : "Something is wrong; see above.");
    return report.ok() ? 0 : 1;
  }
}
