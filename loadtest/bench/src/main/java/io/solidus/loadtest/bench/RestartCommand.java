package io.solidus.loadtest.bench;

import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.loadtest.forge.MachineDescription;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench restart}: what payers notice while one authority of four restarts. A payment needs
 * three signatures, so three authorities are enough for it while the fourth compiles its code. The
 * fourth one has a processor of its own, as it has a machine of its own in a network.
 */
@Command(
    name = "restart",
    mixinStandardHelpOptions = true,
    description = "What payers notice while one authority of four restarts.")
final class RestartCommand implements Callable<Integer> {

  private static final int VALIDATORS = 4;
  private static final int QUORUM = 3;
  private static final int WARM_UP_STEPS = 12;
  private static final int STEPS_BEFORE = 3;

  /** The paper's criterion for p99. */
  private static final double LIMIT_MILLIS = 500;

  @Option(names = "--rate", defaultValue = "60", description = "transfers per second")
  private double rate;

  @Option(names = "--seconds", defaultValue = "10", description = "of each step")
  private double seconds;

  @Option(names = "--steps", defaultValue = "7", description = "after the restart")
  private int stepsAfter;

  @Option(names = "--jvm", split = " ", description = "further options of the validators' JVMs")
  private List<String> jvm = List.of();

  @Option(names = "--seed", defaultValue = "restart", description = "of transfers and arrivals")
  private String seed = "";

  @Mixin private ReportFiles files = new ReportFiles();

  @Override
  public Integer call() throws IOException {
    if (Runtime.getRuntime().availableProcessors() < 2) {
      Report.say("bench restart needs two processors: one for the authority that restarts");
      return 1;
    }
    Path folder = Files.createTempDirectory("solidus-bench");
    BenchCommittee.Shape shape = new BenchCommittee.Shape(VALIDATORS, VALIDATORS, 1, 1, jvm);
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("machine", MachineDescription.describe());
    report.put("seed", seed);
    report.put("jvm", jvm);
    try (BenchCommittee rig = BenchCommittee.start(shape, "0ms", seed, folder)) {
      rig.pin("0");
      AuthorityProcesses restarted = rig.cluster().authorities().getLast();
      pin(restarted);
      OpenLoad<EncodedTransfer> load =
          new OpenLoad<>(new CommitteeTarget(rig.targets(), QUORUM), seed.hashCode());
      Report.say("%d authorities warm up", VALIDATORS);
      steps(rig, load, WARM_UP_STEPS);
      Report.say("before the restart");
      List<RateStep> before = steps(rig, load, STEPS_BEFORE);
      report.put("before", Report.steps(before));
      restarted.names().forEach(restarted::terminate);
      Report.say("without the authority");
      report.put("without", Report.steps(steps(rig, load, 1)));
      restarted.launch();
      restarted.awaitReady();
      pin(restarted);
      Report.say("after its restart");
      List<RateStep> after = steps(rig, load, stepsAfter);
      report.put("after", Report.steps(after));
      files.writeChart(chart(before, after));
    } finally {
      FileSystemUtils.deleteRecursively(folder);
    }
    files.writeFigures(report);
    return 0;
  }

  private Chart chart(List<RateStep> before, List<RateStep> after) {
    List<RateStep> all = Stream.concat(before.stream(), after.stream()).toList();
    return Chart.percentiles(
        "One authority of four restarts",
        "latency of payments that need three of them; the last three steps before it, then after it",
        "seconds since it serves again",
        IntStream.range(0, all.size()).mapToObj(i -> (i - before.size()) * seconds).toList(),
        all,
        LIMIT_MILLIS);
  }

  private static void pin(AuthorityProcesses authority) {
    authority.pin("1");
    authority.database().pin("1");
  }

  private List<RateStep> steps(BenchCommittee rig, OpenLoad<EncodedTransfer> load, int count) {
    return IntStream.range(0, count).mapToObj(i -> rig.step(load, rate, seconds)).toList();
  }
}
