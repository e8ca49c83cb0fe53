package io.solidus.loadtest.bench;

import io.solidus.loadtest.forge.MachineDescription;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.springframework.util.FileSystemUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench committee}: whole committees on this machine. */
@Command(
    name = "committee",
    mixinStandardHelpOptions = true,
    description = "Whole committees on one machine, each transfer to every authority.")
final class CommitteeCommand implements Callable<Integer> {

  private static final int WARM_UP_STEPS = 6;
  private static final double WARM_UP_SECONDS = 12;

  /** With many new processes on few cores, the C2 compiler would dominate the measurement. */
  static final List<String> QUICK_COMPILER = List.of("-XX:TieredStopAtLevel=1");

  @Option(
      names = "--shapes",
      split = ",",
      defaultValue = "4x1,4x2,4x4,10x1,10x2",
      description = "validators x shards")
  private List<String> shapes = List.of();

  @Option(names = "--seconds", defaultValue = "12", description = "of each rate")
  private double seconds;

  @Option(names = "--limit-millis", defaultValue = "500", description = "p99 that still counts")
  private double limitMillis;

  @Option(names = "--seed", defaultValue = "committee", description = "of transfers and arrivals")
  private String seed = "";

  @Mixin private ReportFiles files = new ReportFiles();

  @Override
  public Integer call() throws IOException {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (String shape : shapes) {
      int x = shape.indexOf('x');
      rows.add(
          measure(
              Integer.parseInt(shape.substring(0, x)), Integer.parseInt(shape.substring(x + 1))));
    }
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("machine", MachineDescription.describe());
    report.put("limitMillis", limitMillis);
    report.put("seed", seed);
    report.put("jvm", QUICK_COMPILER);
    report.put("committees", rows);
    files.writeChart(
        Chart.bars(
            "Committees on this one machine",
            "every authority, its database and the load generator share its cores",
            "transfers per second",
            shapes.stream().map(shape -> shape.replace("x", " validators x ") + " shards").toList(),
            rows.stream()
                .map(row -> row.get("sustainedPerSecond") instanceof Double rate ? rate : 0.0)
                .toList()));
    files.writeFigures(report);
    return 0;
  }

  private Map<String, Object> measure(int validators, int shards) throws IOException {
    Path folder = Files.createTempDirectory("solidus-bench");
    int faulty = (validators - 1) / 3;
    int quorum = 2 * faulty + 1;
    Report.say("%d validators of %d shard(s): starting", validators, shards);
    BenchCommittee.Shape shape =
        new BenchCommittee.Shape(validators, validators, shards, 1, QUICK_COMPILER);
    try (BenchCommittee rig =
        BenchCommittee.start(shape, "0ms", seed + "-" + validators + "-" + shards, folder)) {
      OpenLoad<EncodedTransfer> load =
          new OpenLoad<>(new CommitteeTarget(rig.targets(), quorum), seed.hashCode());
      double guess = 500.0 / validators;
      for (int i = 1; i <= WARM_UP_STEPS; i++) {
        rig.step(load, guess * Math.min(i, 3) / 5, WARM_UP_SECONDS);
      }
      List<RateStep> steps =
          new RateSearch(guess / 2, 1.3, 0.06, limitMillis)
              .run(rate -> rig.step(load, rate, seconds));
      return row(rig, load, validators, shards, steps);
    } finally {
      FileSystemUtils.deleteRecursively(folder);
    }
  }

  private Map<String, Object> row(
      BenchCommittee rig,
      OpenLoad<EncodedTransfer> load,
      int validators,
      int shards,
      List<RateStep> steps) {
    double best =
        steps.stream()
            .filter(s -> s.holds(limitMillis))
            .mapToDouble(RateStep::offered)
            .max()
            .orElse(0);
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("validators", validators);
    row.put("shards", shards);
    row.put("sustainedPerSecond", Report.round(best));
    if (best > 0) {
      var transfers = rig.supply().take((int) Math.round(best * seconds));
      double before = rig.nodeCpu() + rig.databaseCpu();
      RateStep step = load.run(best, seconds, transfers);
      double spent = rig.nodeCpu() + rig.databaseCpu() - before;
      row.put("p50Millis", Report.round(step.millis(0.5)));
      row.put("p99Millis", Report.round(step.millis(0.99)));
      row.put(
          "perSecondPerTotalCore", Report.round(best / Runtime.getRuntime().availableProcessors()));
      row.put("cpuMillisPerTransferAndValidator", Report.round(spent / step.signed() / validators));
      Report.say(
          "%d x %d: %.0f transfers per second, %.2f ms per transfer and validator",
          validators, shards, best, spent / step.signed() / validators);
    }
    row.put("rates", Report.steps(steps));
    return row;
  }
}
