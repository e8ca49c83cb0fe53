package io.solidus.loadtest.driver;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A run of k6 or Gatling. Both leave the same kind of summary. */
final class Generator {
  private static final String GATLING = "io.gatling.app.Gatling";

  /** On top of the phases: answers that are waited for, and the tool's own report. */
  private static final Duration GRACE = Duration.ofMinutes(5);

  private static final List<String> JVM = List.of("-Xms256m", "-Xmx1g", "-XX:+UseSerialGC");

  private Generator() {}

  /**
   * What a tool is told.
   *
   * @param source the feeder's address for k6, the pool's folder for Gatling
   * @param adminToken for the admin API, or empty to leave it out
   */
  record Order(
      LoadPlan plan, URI gateway, String source, String seed, Path folder, String adminToken) {
    Path summary() {
      return folder.resolve("summary.json");
    }
  }

  /**
   * @param status of the process; not zero when a limit did not hold either
   */
  record Outcome(int status, Duration cpu) {}

  static Outcome k6(Path binary, Path scripts, Order order, int batch) throws InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                binary.toString(),
                "run",
                "--no-usage-report",
                "--address",
                "",
                "--log-output",
                "stderr",
                "--no-color",
                "--quiet"));
    settings(order, batch)
        .forEach((name, value) -> command.addAll(List.of("-e", name + "=" + value)));
    command.add(scripts.resolve(order.plan().name() + ".js").toString());
    return run("k6", command, Map.of("K6_AUTO_EXTENSION_RESOLUTION", "false"), order);
  }

  private static Map<String, String> settings(Order order, int batch) {
    return Map.of(
        "SOLIDUS_URL", order.gateway().toString(),
        "SOLIDUS_FEED", order.source(),
        "SOLIDUS_BATCH", Integer.toString(batch),
        "SOLIDUS_RATE", Double.toString(order.plan().rate()),
        "SOLIDUS_SECONDS", Integer.toString(order.plan().seconds()),
        "SOLIDUS_SEED", order.seed(),
        "SOLIDUS_SUMMARY", order.summary().toString());
  }

  /**
   * The version on the class path of this process, which Gatling is started with; "unknown" where
   * there is none.
   */
  static String gatlingVersion() {
    try {
      String version = Class.forName(GATLING).getPackage().getImplementationVersion();
      return version == null ? "unknown" : version;
    } catch (ClassNotFoundException e) {
      return "unknown";
    }
  }

  static Outcome gatling(Order order) throws InterruptedException {
    List<String> command =
        new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java")));
    command.addAll(JVM);
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path")));
    properties(order).forEach((name, value) -> command.add("-D" + name + "=" + value));
    command.addAll(
        List.of(
            GATLING,
            "-s",
            "io.solidus.loadtest.gatling.PlatformSimulation",
            "-rf",
            order.folder().resolve("gatling").toString()));
    return run("Gatling", command, Map.of("SOLIDUS_ADMIN_TOKEN", order.adminToken()), order);
  }

  private static Map<String, String> properties(Order order) {
    return Map.of(
        "solidus.load.scenario", order.plan().name(),
        "solidus.load.url", order.gateway().toString(),
        "solidus.load.pool", order.source(),
        "solidus.load.rate", Double.toString(order.plan().rate()),
        "solidus.load.seconds", Integer.toString(order.plan().seconds()),
        "solidus.load.seed", order.seed(),
        "solidus.load.summary", order.summary().toString());
  }

  private static Outcome run(
      String name, List<String> command, Map<String, String> environment, Order order)
      throws InterruptedException {
    try (Child tool = Child.start(name, command, environment, null)) {
      Duration[] cpu = {Duration.ZERO};
      int status =
          tool.await(
              Duration.ofSeconds(order.plan().seconds()).plus(GRACE),
              () -> cpu[0] = cpu[0].compareTo(tool.cpu()) > 0 ? cpu[0] : tool.cpu());
      return new Outcome(status, cpu[0]);
    }
  }
}
