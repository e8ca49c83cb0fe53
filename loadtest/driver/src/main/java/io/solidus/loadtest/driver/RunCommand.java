package io.solidus.loadtest.driver;

import com.google.errorprone.annotations.FormatMethod;
import io.solidus.loadtest.forge.LoadTestKeys;
import io.solidus.loadtest.forge.MachineDescription;
import io.solidus.loadtest.forge.RequestPool;
import io.solidus.loadtest.forge.TransferSeries;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/**
 * Runs a scenario against a platform, or against a sandbox that it starts, and writes a report
 * folder.
 */
@Command(name = "run", description = "Runs a scenario and writes a report.")
final class RunCommand implements Callable<Integer> {
  private static final int LIMITS_BROKEN = 1;
  private static final int BATCH = 4;
  private static final int MOST_VUS = 1500;
  private static final int SPARE = 100;

  /** The load generator. */
  enum Tool {
    k6,
    gatling
  }

  @Parameters(
      index = "0",
      paramLabel = "SCENARIO",
      description = "smoke, load, stress, soak or spike")
  private String scenario = "";

  @Option(
      names = "--tool",
      defaultValue = "k6",
      description = "k6 or gatling (default: ${DEFAULT-VALUE})")
  private Tool tool = Tool.k6;

  @Option(
      names = "--url",
      description =
          "the gateway of a platform on load-test keys; without it a sandbox is started and stopped again")
  private @Nullable URI url;

  @Option(
      names = "--rate",
      defaultValue = "0",
      description =
          "payments begun in a second, multiplied by the phases; the scenario's own by default")
  private double rate;

  @Option(
      names = "--seconds",
      defaultValue = "0",
      description = "all phases together; the scenario's own by default")
  private int seconds;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "of the transfers and of every random choice")
  private String seed = "";

  @Option(
      names = "--pool",
      description = "transfers made before (./solidus load forge); without it they are made now")
  private @Nullable Path pool;

  @Option(
      names = "--keys",
      description = "load-test keys of the platform at --url; the sandbox's by default")
  private @Nullable Path keys;

  @Option(
      names = "--proved",
      description =
          "a sandbox on development keys and really proved transfers, which take seconds each to make")
  private boolean proved;

  @Option(names = "--out", required = true, description = "folder for the report")
  private Path out = Path.of("");

  @Option(names = "--root", required = true, hidden = true)
  private Path root = Path.of("");

  @Option(names = "--data", required = true, hidden = true)
  private Path data = Path.of("");

  @Option(names = "--development-keys", required = true, hidden = true)
  private Path developmentKeys = Path.of("");

  @Option(names = "--k6", hidden = true)
  private @Nullable Path k6;

  @Option(names = "--k6-version", defaultValue = "k6", hidden = true)
  private String k6Version = "";

  @Option(names = "--commit", defaultValue = "unknown", hidden = true)
  private String commit = "";

  @Override
  public Integer call() throws Exception {
    if (proved && url != null) {
      throw new IllegalArgumentException(
          "--proved is for a sandbox; for another platform make a pool with load forge, and name it: --pool");
    }
    LoadPlan plan = LoadPlan.of(scenario, rate, seconds);
    Files.createDirectories(out);
    if (url != null) {
      return run(plan, url, null);
    }
    say("starting a sandbox on %s keys", proved ? "development" : "load-test");
    try (SandboxProcess sandbox =
        SandboxProcess.start(
            root,
            proved ? null : TransferPools.keys(),
            developmentKeys,
            data,
            out.resolve("sandbox.log"))) {
      return run(plan, sandbox.gateway(), sandbox);
    }
  }

  private int run(LoadPlan plan, URI gateway, @Nullable SandboxProcess sandbox) throws Exception {
    Path folder = pool != null ? pool : out.resolve("pool");
    if (pool == null) {
      supply(plan, gateway, folder, sandbox);
    }
    try (RequestPool transfers = RequestPool.open(folder)) {
      TransferPools.requireFits(transfers, gateway);
      if (transfers.count() < plan.payments()) {
        throw new IllegalArgumentException(
            "the scenario begins "
                + plan.payments()
                + " payments and the pool has "
                + transfers.count()
                + " transfers");
      }
      say("%s: %d payments in %d s at %s", plan.name(), plan.payments(), plan.seconds(), gateway);
      return measured(plan, gateway, sandbox, transfers, folder);
    } finally {
      if (pool == null) {
        delete(folder);
      }
    }
  }

  private void supply(LoadPlan plan, URI gateway, Path folder, @Nullable SandboxProcess sandbox) {
    if (proved && sandbox != null) {
      TransferPools.prove(
          sandbox.keysDir(), gateway, folder, seed, plan.payments() + plan.phases().size());
      return;
    }
    LoadTestKeys source = keys == null ? TransferPools.keys() : LoadTestKeys.at(keys);
    int workers = Runtime.getRuntime().availableProcessors();
    TransferPools.forge(
        source, gateway, folder, new TransferSeries(seed, 0, wanted(plan), 0, workers));
  }

  /** Adds the transfers that k6's virtual users have fetched and not sent at the end. */
  private long wanted(LoadPlan plan) {
    return plan.payments()
        + (tool == Tool.k6 ? BATCH * Math.min(MOST_VUS, plan.payments()) : 0)
        + SPARE;
  }

  private int measured(
      LoadPlan plan,
      URI gateway,
      @Nullable SandboxProcess sandbox,
      RequestPool transfers,
      Path folder)
      throws Exception {
    Map<String, Object> about = about(gateway, sandbox, transfers);
    Duration before = sandbox == null ? Duration.ZERO : sandbox.cpu();
    LoadGenerator.Outcome outcome = generate(plan, gateway, sandbox, transfers, folder);
    Path summaryFile = out.resolve("summary.json");
    if (!Files.exists(summaryFile)) {
      throw new IllegalStateException(
          tool + " ended with status " + outcome.status() + " and left no summary");
    }
    JsonNode summary = Report.read(summaryFile);
    about.put("cpu", cpu(sandbox, before, outcome, summary));
    new Report(out).write(about, summary);
    boolean ok = summary.path("ok").asBoolean(false) && outcome.status() == 0;
    say("%s; the report is in %s", ok ? "all limits held" : "limits were broken", out);
    return ok ? 0 : LIMITS_BROKEN;
  }

  private LoadGenerator.Outcome generate(
      LoadPlan plan,
      URI gateway,
      @Nullable SandboxProcess sandbox,
      RequestPool transfers,
      Path folder)
      throws Exception {
    if (tool == Tool.gatling) {
      String token =
          sandbox != null
              ? sandbox.adminToken()
              : Optional.ofNullable(System.getenv("SOLIDUS_ADMIN_TOKEN")).orElse("");
      return LoadGenerator.gatling(
          new LoadGenerator.Order(
              plan,
              gateway,
              folder.toAbsolutePath().toString(),
              seed,
              out.toAbsolutePath(),
              token,
              sandbox != null
                  ? sandbox.adminUrls()
                  : Optional.ofNullable(System.getenv("SOLIDUS_ADMIN_URLS")).orElse("")));
    }
    if (k6 == null) {
      throw new IllegalArgumentException("--k6 is missing");
    }
    try (TransferFeeder feeder = TransferFeeder.start(transfers, 0)) {
      LoadGenerator.Order order =
          new LoadGenerator.Order(
              plan, gateway, feeder.url().toString(), seed, out.toAbsolutePath(), "", "");
      return LoadGenerator.k6(
          k6, root.resolve("loadtest/k6"), order, transfers.simulated() ? BATCH : 1);
    }
  }

  private Map<String, Object> about(
      URI gateway, @Nullable SandboxProcess sandbox, RequestPool transfers) {
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    about.put("commit", commit);
    about.put("machine", MachineDescription.describe());
    about.put("loadAverageBefore", Report.loadAverage());
    about.put(
        "toolVersion", tool == Tool.k6 ? k6Version : "Gatling " + LoadGenerator.gatlingVersion());
    about.put("seed", seed);
    about.put(
        "platform",
        sandbox == null
            ? Map.of("gateway", gateway.toString())
            : Map.of(
                "sandbox",
                "4 authorities with 2 shards each, one process",
                "jvm",
                String.join(" ", SandboxProcess.JVM)));
    about.put(
        "transfers",
        Map.of(
            "count",
            transfers.count(),
            "simulated",
            transfers.simulated(),
            "keys",
            transfers.manifestDigest().hex()));
    return about;
  }

  /** Processor seconds during the load, of the generator and of the sandbox if there is one. */
  private static Map<String, Object> cpu(
      @Nullable SandboxProcess sandbox,
      Duration before,
      LoadGenerator.Outcome outcome,
      JsonNode summary) {
    Map<String, Object> cpu = new LinkedHashMap<>();
    cpu.put("generatorSeconds", seconds(outcome.cpu()));
    if (sandbox != null) {
      Duration platform = sandbox.cpu().minus(before);
      cpu.put("platformSeconds", seconds(platform));
      long signed = 0;
      for (JsonNode phase : summary.path("phases")) {
        signed += phase.path("signed").asLong();
      }
      if (signed > 0) {
        cpu.put("platformMillisPerPayment", Math.round(platform.toNanos() / 1e4 / signed) / 100.0);
      }
    }
    return cpu;
  }

  private static double seconds(Duration duration) {
    return Math.round(duration.toMillis() / 10.0) / 100.0;
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }

  @FormatMethod
  private static void say(String format, Object... values) {
    System.err.println("  " + String.format(Locale.ROOT, format, values));
  }
}
