package io.solidus.loadtest.bench;

import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.dev.processes.Measurement;
import io.solidus.loadtest.forge.MachineDescription;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.springframework.util.FileSystemUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench validator}: the highest rate of one validator with p99 under the limit, and its
 * processor time by stage.
 */
@Command(
    name = "validator",
    mixinStandardHelpOptions = true,
    description = "One validator under an open-model load of distinct, valid transfers.")
final class ValidatorCommand implements Callable<Integer> {

  private static final String ALL = "all";
  private static final int WARM_UP_STEPS = 9;
  private static final double WARM_UP_SECONDS = 10;

  @Option(
      names = "--cores",
      split = ",",
      defaultValue = "1,2",
      description = "processors the validator and its database get, one run for each")
  private List<Integer> cores = List.of();

  @Option(
      names = "--runs",
      defaultValue = "1",
      description = "searches for each number of cores, each with a process of its own")
  private int repeats;

  @Option(names = "--jvm", split = " ", description = "further options of the validator's JVM")
  private List<String> jvm = List.of();

  @Option(names = "--seconds", defaultValue = "15", description = "of each rate")
  private double seconds;

  @Option(names = "--start", defaultValue = "150", description = "first rate per second and core")
  private double start;

  @Option(
      names = "--limit-millis",
      defaultValue = "500",
      description = "p99 that still counts (the paper's criterion)")
  private double limitMillis;

  @Option(
      names = "--linger",
      defaultValue = "0ms",
      description =
          "solidus.validator.batch.max-linger: how long a busy worker waits for a larger batch")
  private String linger = "";

  @Option(names = "--seed", defaultValue = "validator", description = "of transfers and arrivals")
  private String seed = "";

  @Mixin private ReportFiles files = new ReportFiles();

  @Override
  public Integer call() throws IOException {
    List<Map<String, Object>> runs = new ArrayList<>();
    List<Map<String, Object>> rates = new ArrayList<>();
    for (int count : cores) {
      List<Map<String, Object>> ofCount = new ArrayList<>();
      for (int i = 0; i < repeats; i++) {
        ofCount.add(measure(count));
      }
      rates.add(summary(count, ofCount));
      runs.addAll(ofCount);
    }
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("machine", MachineDescription.describe());
    report.put("limitMillis", limitMillis);
    report.put("seed", seed);
    report.put("linger", linger);
    report.put("jvm", jvm);
    report.put("sustained", rates);
    report.putAll(slowest(runs, cores.getFirst()));
    if (cores.contains(1)) {
      report.put("model", model(slowest(runs, 1)));
    }
    report.put("runs", runs);
    files.writeFigures(report);
    return 0;
  }

  /** The rate that held in every run, and the best and the middle one, per second and core. */
  private static Map<String, Object> summary(int count, List<Map<String, Object>> runs) {
    double[] perCore = runs.stream().mapToDouble(run -> rate(run) / count).sorted().toArray();
    Map<String, Object> summary = new LinkedHashMap<>();
    summary.put("cores", count);
    summary.put("runs", perCore.length);
    summary.put("heldInAll", Report.round(perCore[0]));
    summary.put("median", Report.round(perCore[perCore.length / 2]));
    summary.put("best", Report.round(perCore[perCore.length - 1]));
    Report.say(
        "%d processor(s), %d run(s): %.0f transfers per second and core held in all, %.0f in the best",
        count, perCore.length, perCore[0], perCore[perCore.length - 1]);
    return summary;
  }

  private static Map<String, Object> slowest(List<Map<String, Object>> runs, int count) {
    return runs.stream()
        .filter(run -> Objects.equals(run.get("cores"), count))
        .min(Comparator.comparingDouble(ValidatorCommand::rate))
        .orElseThrow();
  }

  private static double rate(Map<String, Object> run) {
    return run.get("sustainedPerSecond") instanceof Number rate ? rate.doubleValue() : 0;
  }

  private Map<String, Object> measure(int count) throws IOException {
    Path folder = Files.createTempDirectory("solidus-bench");
    String processors = count == 1 ? "0" : "0-" + (count - 1);
    Report.say("validator on %d processor(s): starting", count);
    try (BenchCommittee rig =
        BenchCommittee.start(
            new BenchCommittee.Shape(4, 1, 1, count, jvm), linger, seed + "-" + count, folder)) {
      rig.pin(processors);
      OpenLoad<EncodedTransfer> load =
          new OpenLoad<>(new CommitteeTarget(rig.targets(), 1), seed.hashCode());
      List<RateStep> warmUp = warmUp(rig, load, count);
      List<RateStep> steps =
          new RateSearch(start * count, 1.3, 0.04, limitMillis)
              .run(rate -> rig.step(load, rate, seconds));
      if (count == cores.getFirst()) {
        String title = "One validator on " + count + (count == 1 ? " core" : " cores");
        files.writeChart(
            Chart.latencies(
                title,
                "latency of distinct regulated transfers, open model, PostgreSQL with fsync",
                steps,
                limitMillis));
      }
      Map<String, Object> run = confirmed(rig, load, count, steps);
      run.put("warmUp", Report.steps(warmUp));
      return run;
    } finally {
      FileSystemUtils.deleteRecursively(folder);
    }
  }

  /**
   * Fills caches and lets the JVM compile before the measurement. On one core the compiler competes
   * with what it compiles, so the first of these steps show what a young process does to payments.
   */
  private List<RateStep> warmUp(BenchCommittee rig, OpenLoad<EncodedTransfer> load, int count) {
    List<RateStep> steps = new ArrayList<>();
    for (int i = 0; i < WARM_UP_STEPS; i++) {
      steps.add(rig.step(load, start * count, WARM_UP_SECONDS));
    }
    return steps;
  }

  /** Repeats the rates that held from the highest down, until one holds again. */
  private Map<String, Object> confirmed(
      BenchCommittee rig, OpenLoad<EncodedTransfer> load, int count, List<RateStep> steps) {
    List<Double> held =
        steps.stream()
            .filter(step -> step.holds(limitMillis))
            .map(RateStep::offered)
            .distinct()
            .toList();
    for (double rate : held.reversed()) {
      Optional<Map<String, Object>> run = atBest(rig, load, count, steps, rate);
      if (run.isPresent()) {
        return run.get();
      }
    }
    return nothing(count, steps);
  }

  /** Repeats a rate that held, and measures the processor time; empty when it does not hold now. */
  private Optional<Map<String, Object>> atBest(
      BenchCommittee rig,
      OpenLoad<EncodedTransfer> load,
      int count,
      List<RateStep> steps,
      double best) {
    AuthorityProcesses authority = rig.cluster().authority(1);
    var transfers = rig.supply().take((int) Math.round(best * seconds));
    ProcessHandle node = authority.handles().getFirst();
    Map<String, Measurement> timersBefore = authority.timers(ALL);
    Map<String, Double> threadsBefore = CpuTime.ofThreads(node);
    double[] before = {rig.nodeCpu(), rig.databaseCpu(), ownCpu()};
    RateStep step = load.run(best, seconds, transfers);
    double[] spent = {
      rig.nodeCpu() - before[0], rig.databaseCpu() - before[1], ownCpu() - before[2]
    };
    Report.say(step);

    Map<String, Object> run = new LinkedHashMap<>();
    run.put("cores", count);
    run.put("sustainedPerSecond", Report.round(best));
    run.put("perSecondPerCore", Report.round(best / count));
    run.put("p50Millis", Report.round(step.millis(0.5)));
    run.put("p99Millis", Report.round(step.millis(0.99)));
    run.put("cpuMillisPerTransfer", Report.round((spent[0] + spent[1]) / step.signed()));
    run.put("stages", stages(step.signed(), spent, threadsBefore, CpuTime.ofThreads(node)));
    run.put("timers", timers(timersBefore, authority.timers(ALL)));
    run.put("generatorCpuMillisPerTransfer", Report.round(spent[2] / step.signed()));
    run.put("confirmed", Report.step(step));
    run.put("rates", Report.steps(steps));
    Report.say(
        "%d processor(s): %.0f transfers per second, %.2f ms of processor time each; the generator used %.2f ms each",
        count, best, (spent[0] + spent[1]) / step.signed(), spent[2] / step.signed());
    return step.holds(limitMillis) ? Optional.of(run) : Optional.empty();
  }

  /** The estimate for larger machines from one core; empty when no rate was sustained. */
  private static Map<String, Object> model(Map<String, Object> one) {
    if (!(one.get("cpuMillisPerTransfer") instanceof Double cpu)
        || !(one.get("sustainedPerSecond") instanceof Double rate)) {
      return Map.of();
    }
    return new Extrapolation(cpu, rate * cpu / 1000, MachineDescription.hasIfma()).report();
  }

  private static Map<String, Object> nothing(int count, List<RateStep> steps) {
    Map<String, Object> run = new LinkedHashMap<>();
    run.put("cores", count);
    run.put("sustainedPerSecond", 0);
    run.put("perSecondPerCore", 0);
    run.put("rates", Report.steps(steps));
    return run;
  }

  /**
   * Processor milliseconds per transfer of the database and of the validator's threads by stage.
   */
  private static Map<String, Object> stages(
      int signed, double[] spent, Map<String, Double> before, Map<String, Double> after) {
    Map<String, Double> byStage = new TreeMap<>();
    after.forEach((thread, millis) ->
        byStage.merge(
            ThreadStage.of(thread), millis - before.getOrDefault(thread, 0.0), Double::sum));
    double named = byStage.values().stream().mapToDouble(Double::doubleValue).sum();
    byStage.put("other", Math.max(0, spent[0] - named) + byStage.getOrDefault("other", 0.0));
    byStage.put("postgresql", spent[1]);
    Map<String, Object> stages = new LinkedHashMap<>();
    byStage.forEach((stage, millis) -> stages.put(stage, Report.round(millis / signed)));
    return stages;
  }

  /** The means of the validator's own timers over the measured step: milliseconds, or sizes. */
  private static Map<String, Object> timers(
      Map<String, Measurement> before, Map<String, Measurement> after) {
    Map<String, Object> timers = new TreeMap<>();
    after.forEach((name, now) -> {
      Measurement then = before.getOrDefault(name, new Measurement(0, 0));
      long count = now.count() - then.count();
      if (count > 0 && name.startsWith("solidus.")) {
        timers.put(
            name,
            Map.of("count", count, "mean", Report.round((now.total() - then.total()) / count)));
      }
    });
    return timers;
  }

  private static double ownCpu() {
    return CpuTime.ofProcesses(List.of(ProcessHandle.current()))
        - ProcessHandle.current()
            .descendants()
            .mapToDouble(child -> CpuTime.ofProcesses(List.of(child)))
            .sum();
  }
}
