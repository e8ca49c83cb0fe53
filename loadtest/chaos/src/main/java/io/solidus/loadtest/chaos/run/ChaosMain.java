package io.solidus.loadtest.chaos.run;

import io.solidus.loadtest.chaos.ChaosOptions;
import io.solidus.loadtest.chaos.Console;
import io.solidus.loadtest.chaos.FaultKind;
import io.solidus.loadtest.chaos.Sabotage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code chaos}: the fault suite from the command line. Exits with 1 if an invariant does not hold.
 */
@Command(
    name = "chaos",
    mixinStandardHelpOptions = true,
    description =
        "Breaks processes, databases, disks and links of a committee under load of real money, and checks that none is lost or doubled.")
public final class ChaosMain implements Callable<Integer> {

  private static final int SHORT_SECONDS = 100;
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  @Option(
      names = "--seed",
      description = "replays the schedule of a run; random and printed by default")
  private @Nullable Long seed;

  @Option(
      names = "--seconds",
      description =
          "after which no further fault strikes (default 100; no limit with --rounds or --kills)")
  private @Nullable Integer seconds;

  @Option(
      names = "--rounds",
      description = "of all kinds of faults, after which no further fault strikes")
  private @Nullable Integer rounds;

  @Option(
      names = "--kills",
      defaultValue = "0",
      description = "kills so many processes one after the other, instead of a schedule of faults")
  private int kills;

  @Option(
      names = "--max-faults",
      defaultValue = "1000000",
      description = "after which no further fault strikes")
  private int maxFaults;

  @Option(
      names = "--overlap",
      description = "faults at a time, at most (default 1, in runs of more than ten minutes 2)")
  private @Nullable Integer overlap;

  @Option(
      names = "--faults",
      split = ",",
      description = "kinds of faults; all by default (--list names them)")
  private List<String> faults = List.of();

  @Option(
      names = "--apart",
      split = ",",
      description = "authorities with a process for each part (default 1, with --kills all)")
  private @Nullable Set<Integer> apart;

  @Option(
      names = "--shards",
      defaultValue = "2",
      description = "of each authority (default ${DEFAULT-VALUE})")
  private int shards;

  @Option(
      names = "--wallets",
      defaultValue = "8",
      description = "number of correct wallets (default ${DEFAULT-VALUE})")
  private int wallets;

  @Option(
      names = "--equivocators",
      defaultValue = "2",
      description = "number of wallets that spend coins twice (default ${DEFAULT-VALUE})")
  private int equivocators;

  @Option(
      names = "--think-millis",
      description = "mean pause of a wallet between two transfers (default 200, with --kills 1500)")
  private @Nullable Long thinkMillis;

  @Option(
      names = "--kafka-lib",
      description = "the folder with a Kafka broker's jars; without it no Kafka is part of the run")
  private @Nullable Path kafkaLibrary;

  @Option(
      names = "--sabotage",
      description =
          "breaks an invariant before the checks, which must fail then: ${COMPLETION-CANDIDATES}",
      completionCandidates = Sabotages.class)
  private @Nullable String sabotage;

  @Option(
      names = "--self-test",
      description =
          "after a run without violations, breaks its state in every way and requires that the checks detect each")
  private boolean selfTest;

  @Option(names = "--json", description = "writes the figures")
  private @Nullable Path json;

  @Option(
      names = "--keep",
      description = "keeps databases and logs of the processes even without a violation")
  private boolean keep;

  @Option(names = "--list", description = "names the kinds of faults")
  private boolean list;

  private ChaosMain() {}

  public static void main(String[] args) {
    // not a logback.xml on the class path: the processes that are started share it
    System.setProperty("logback.configurationFile", "solidus-chaos-logback.xml");
    System.exit(commandLine().execute(args));
  }

  public static CommandLine commandLine() {
    return new CommandLine(new ChaosMain());
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (list) {
      System.out.println(FaultKind.labels(List.of(FaultKind.values())).replace(',', '\n'));
      return 0;
    }
    long chosen = seed != null ? seed : new SecureRandom().nextInt(Integer.MAX_VALUE);
    Path folder = Files.createTempDirectory("solidus-chaos");
    ChaosOptions options = options(chosen, folder);
    Report report = ChaosRun.run(options);
    report.coverage().table().forEach(System.out::println);
    String text = JSON.writeValueAsString(report.json());
    System.out.println(text);
    if (json != null) {
      Files.writeString(json, text + "\n");
    }
    boolean ok = report.verdict().ok();
    if (ok && !keep) {
      FileSystemUtils.deleteRecursively(folder);
    } else {
      Console.say("databases and logs: %s", folder);
    }
    if (ok) {
      Console.say("every invariant holds");
      return 0;
    }
    Console.say("INVARIANTS ARE BROKEN; replay with --seed %d", chosen);
    return 1;
  }

  private ChaosOptions options(long chosen, Path folder) {
    boolean spree = kills > 0;
    boolean endless = spree || rounds != null;
    int end = seconds != null ? seconds : endless ? Integer.MAX_VALUE : SHORT_SECONDS;
    ChaosOptions.Length length =
        new ChaosOptions.Length(end, maxFaults, rounds != null ? rounds : Integer.MAX_VALUE, kills);
    int together = overlap != null ? overlap : length.isLong() ? 2 : 1;
    Set<Integer> asProcesses = apart != null ? apart : spree ? Set.of(1, 2, 3, 4) : Set.of(1);
    return ChaosOptions.of(chosen, end, folder)
        .withLength(length)
        .withOverlap(together)
        .withKinds(faults.stream().map(FaultKind::of).toList())
        .withCommittee(shards, asProcesses)
        .withCrowd(
            new ChaosOptions.Crowd(
                wallets, equivocators, thinkMillis != null ? thinkMillis : spree ? 1500 : 200))
        .withKafka(kafkaLibrary)
        .withSelfTest(selfTest)
        .withSabotage(sabotage == null ? null : Sabotage.of(sabotage));
  }

  /** For the help. */
  static final class Sabotages extends ArrayList<String> {
    Sabotages() {
      super(Sabotage.labels());
    }
  }
}
