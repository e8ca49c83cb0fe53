package io.solidus.loadtest.chaos.fault;

import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.KafkaServer;
import io.solidus.loadtest.chaos.ChaosOptions;
import io.solidus.loadtest.chaos.Console;
import io.solidus.loadtest.chaos.FaultKind;
import io.solidus.loadtest.chaos.load.History;
import io.solidus.loadtest.chaos.load.SeededRandom;
import io.solidus.loadtest.chaos.load.SignatureTap;
import io.solidus.loadtest.chaos.oracle.StoredSignatures;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Kills processes in quick succession, of one authority at a time: at a random failpoint, at a
 * random time, or while the process starts. Some kills hit a database or Kafka. Every {@value
 * #CHECK_EVERY} kills it checks what can be checked while processes run.
 */
public final class RandomKills {

  static final int CHECK_EVERY = 25;
  private static final Duration REACHED = Duration.ofSeconds(15);
  private static final Duration RECOVERY = Duration.ofMinutes(3);
  private static final double BROKER = 0.02;

  /** So that a tenth of all kills, of which some hit a process that is starting, are databases. */
  private static final double DATABASE = 0.15;

  private static final double PUBLISHED = 0.05;
  private static final double ANY_TIME = 0.15;

  /**
   * The first kills are of kinds that a short run would rarely choose: the broker, a database, a
   * shard between broker and outbox.
   */
  private static final double[] RARE_ONES = {0, BROKER, BROKER + DATABASE};

  private static final double AGAIN = 0.3;
  private static final long LONGEST_START_MILLIS = 8000;
  private static final int MAX_INCIDENTS = 5;
  private static final List<FaultKind> HALTS =
      Arrays.stream(FaultKind.values()).filter(kind -> kind.step().isPresent()).toList();

  private final FaultTarget target;
  private final History history;
  private final SignatureTap tap;
  private final Coverage coverage;
  private final Collection<String> incidents;
  private final SeededRandom random;
  private final StoredSignatures stored;
  private int last;
  private int strikes;

  public RandomKills(
      FaultTarget target,
      History history,
      SignatureTap tap,
      Coverage coverage,
      Collection<String> incidents,
      long seed) {
    this.target = target;
    this.history = history;
    this.tap = tap;
    this.coverage = coverage;
    this.incidents = incidents;
    this.random = new SeededRandom(seed, "kills");
    this.stored = new StoredSignatures(target.cluster(), tap);
  }

  /**
   * Kills until so many processes were killed, the time is up, or too many incidents occurred.
   *
   * @param end by {@link System#nanoTime}
   */
  public void run(int kills, long end) {
    long start = System.nanoTime();
    int checked = 0;
    while (coverage.allKills() < kills
        && System.nanoTime() - end < 0
        && incidents.size() < MAX_INCIDENTS
        && tap.alarms().isEmpty()) {
      strike();
      if (coverage.allKills() - checked >= CHECK_EVERY) {
        checked = coverage.allKills();
        check();
        Console.say("%d processes killed, %.1f a minute", checked, perMinute(start));
      }
    }
    check();
    Console.say("%d processes killed, %.1f a minute", coverage.allKills(), perMinute(start));
  }

  private double perMinute(long start) {
    return coverage.allKills()
        * (double) TimeUnit.MINUTES.toNanos(1)
        / Math.max(1, System.nanoTime() - start);
  }

  private void strike() {
    int index = next();
    AuthorityProcesses authority = target.authority(index);
    double draw = strikes < RARE_ONES.length ? RARE_ONES[strikes] : random.below(1000) / 1000.0;
    strikes++;
    Optional<KafkaServer> kafka = target.cluster().kafka();
    try {
      if (draw < BROKER && kafka.isPresent()) {
        kafka.get().kill();
        coverage.killedBroker();
        kafka.get().restart();
      } else if (draw < BROKER + DATABASE) {
        authority.database().kill();
        coverage.killedDatabase();
        authority.database().restart();
      } else if (draw < BROKER + DATABASE + PUBLISHED && kafka.isPresent()) {
        int shard = random.below(target.shards());
        killPublished(authority, shard);
        comeBack(authority, target.shardProcess(index, shard));
      } else {
        String process = kill(authority, draw < BROKER + DATABASE + PUBLISHED + ANY_TIME);
        comeBack(authority, process);
      }
    } catch (IllegalStateException e) {
      incidents.add(
          "kill " + coverage.allKills() + " at authority " + index + ": " + e.getMessage());
    }
  }

  /** Another authority than the last, which gets the time of a start to settle. */
  private int next() {
    int index = 1 + random.below(ChaosOptions.AUTHORITIES);
    last = index == last ? 1 + index % ChaosOptions.AUTHORITIES : index;
    return last;
  }

  /**
   * @return the name of the killed process
   */
  private String kill(AuthorityProcesses authority, boolean anyTime) {
    if (anyTime) {
      String process = random.of(authority.names());
      authority.kill(process);
      coverage.killed(Coverage.ANY_TIME);
      return process;
    }
    FaultKind kind = random.of(HALTS);
    String process = target.shardProcess(authority.index(), random.below(target.shards()));
    authority.haltAt(process, kind.step().orElseThrow());
    try {
      Await.until(process + " passes a failpoint", REACHED, () -> !authority.alive(process));
      coverage.killed(Coverage.place(kind));
    } catch (IllegalStateException e) {
      // no transfer came through this shard
      authority.kill(process);
      coverage.killed(Coverage.ANY_TIME);
    }
    return process;
  }

  private void killPublished(AuthorityProcesses authority, int shard) {
    try (PausedRelay held =
        new PausedRelay(authority.database(), authority.databaseName(), shard)) {
      held.awaitPublished();
      authority.kill(target.shardProcess(authority.index(), shard));
      coverage.killed(Coverage.PUBLISHED);
    }
  }

  /** Starts a process again; sometimes kills it before it serves. */
  private void comeBack(AuthorityProcesses authority, String process) {
    while (random.chance(AGAIN)) {
      authority.launch(process);
      sleep(random.between(200, LONGEST_START_MILLIS));
      authority.kill(process);
      coverage.killed(Coverage.STARTING);
    }
    Faults.restart(authority, process);
  }

  /**
   * Checks that every authority signs, and that the tables hold every signature seen since the last
   * check.
   */
  private void check() {
    long now = System.nanoTime();
    try {
      Await.until(
          "a transfer finishes and every authority signs",
          RECOVERY,
          () ->
              history.finishedSince(now)
                  && target.cluster().authorities().stream()
                      .allMatch(authority -> tap.signedSince(authority.index(), now)));
    } catch (IllegalStateException e) {
      incidents.add("after " + coverage.allKills() + " kills: " + e.getMessage());
    }
    stored.missing().stream()
        .limit(MAX_INCIDENTS)
        .forEach(line -> incidents.add("after " + coverage.allKills() + " kills: " + line));
  }

  private static void sleep(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
