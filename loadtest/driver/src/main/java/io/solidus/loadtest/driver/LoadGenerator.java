package io.solidus.loadtest.driver;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs k6 or Gatling; both write the same form of summary. */
final class LoadGenerator {
  private static final String GATLING = "io.gatling.app.Gatling";

  /** Time beyond the phases, for last answers and the tool's own report. */
  private static final Duration GRACE = Duration.ofMinutes(5);

  private static final List<String> JVM = List.of("-Xms256m", "-Xmx1g", "-XX:+UseSerialGC");

  private LoadGenerator() {}

  /**
   * The settings of a run.
   *
   * @param source the feeder's address for k6, the pool's folder for Gatling
   * @param adminToken for the admin APIs; empty to leave them out
   * @param adminUrls where they are: SERVICE=URL,SERVICE=URL...; empty for the wallets' addresses
   */
  record Order(
      LoadPlan plan,
      URI gateway,
      String source,
      String seed,
      Path folder,
      String adminToken,
      String adminUrls) {
    Path summary() {
      return folder.resolve("summary.json");
    }
  }

  /**
   * The result of a run.
   *
   * @param status exit status; not zero if the tool failed or a limit did not hold
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
   * The version of Gatling on this process's class path, with which it is started; "unknown"
   * without one.
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
    Map<String, String> environment =
        Map.of("SOLIDUS_ADMIN_TOKEN", order.adminToken(), "SOLIDUS_ADMIN_URLS", order.adminUrls());
    return run("Gatling", command, environment, order);
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
    try (ChildProcess tool = ChildProcess.start(name, command, environment, null)) {
      Duration[] cpu = {Duration.ZERO};
      int status =
          tool.await(
              Duration.ofSeconds(order.plan().seconds()).plus(GRACE),
              () -> cpu[0] = cpu[0].compareTo(tool.cpu()) > 0 ? cpu[0] : tool.cpu());
      return new Outcome(status, cpu[0]);
    }
  }
}
