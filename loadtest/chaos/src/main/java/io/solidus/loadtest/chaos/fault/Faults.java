package io.solidus.loadtest.chaos.fault;

import io.solidus.authority.spend.Failpoints.Step;
import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.FaultyMachine;
import io.solidus.dev.processes.Link;
import io.solidus.dev.processes.PostgresServer;
import io.solidus.dev.processes.PrimaryAndStandby;
import io.solidus.loadtest.chaos.ChaosOptions;
import io.solidus.loadtest.chaos.Console;
import io.solidus.loadtest.chaos.FaultKind;
import io.solidus.loadtest.chaos.load.Lies;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Creates faults from plans. */
public final class Faults {

  private static final Duration REACHED = Duration.ofMinutes(1);
  private static final Duration RESTARTED = Duration.ofMinutes(4);
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final int SPLIT_ATTEMPTS = 5;

  /** The log lines of the split procedure. */
  private static final List<String> SPLIT_STEPS =
      List.of("SERIALS_CAPTURED", "SERIALS_COPIED", "CORES_CAPTURED", "CORES_COPIED", "VERIFIED");

  private static final List<Duration> JUMPS =
      List.of(Duration.ofMinutes(3), Duration.ofMinutes(70), Duration.ofHours(30));

  /** Of waits for a standby that is away, twice a second. */
  private static final int CANCELLATIONS = 8;

  private static final Duration SLOW = Duration.ofMillis(250);

  private record Pair(Runnable strikes, Runnable heals) implements Fault {
    @Override
    public void strike() {
      strikes.run();
    }

    @Override
    public void heal() {
      heals.run();
    }
  }

  private final FaultTarget target;
  private final RulesUpdates rulesUpdates;
  private final KeyFaults keyFaults;
  private final Lies lies;
  private final Coverage coverage;
  private final Map<Integer, Integer> splits = new HashMap<>();

  public Faults(
      FaultTarget target,
      RulesUpdates rulesUpdates,
      KeyFaults keyFaults,
      Lies lies,
      Coverage coverage) {
    this.target = target;
    this.rulesUpdates = rulesUpdates;
    this.keyFaults = keyFaults;
    this.lies = lies;
    this.coverage = coverage;
  }

  Fault make(PlannedFault plan) {
    return switch (plan.kind()) {
      case KILL_KAFKA, FREEZE_KAFKA, KAFKA_ABSENT ->
          new KafkaFaults(target.cluster().kafka().orElseThrow(), rulesUpdates, coverage)
              .make(plan);
      case REFRESH_SHARES, CHANGE_NOTE_KEY -> new Pair(() -> keyFaults.change(plan), () -> {});
      default -> atAuthority(plan);
    };
  }

  private Fault atAuthority(PlannedFault plan) {
    int index = plan.authority();
    String shard = target.shardProcess(index, plan.shard());
    return switch (plan.kind()) {
      case HALT_CHECKED, HALT_OWN_RESERVED, HALT_ALL_RESERVED, HALT_SIGNED, HALT_STORED ->
          halt(index, shard, plan.kind());
      case KILL_PUBLISHED -> killPublished(index, plan.shard());
      case KILL_NODE -> kill(index, shard);
      case KILL_SIGNER -> kill(index, target.signerProcess(index));
      case FREEZE_NODE -> freeze(index, plan.variant() ? shard : target.signerProcess(index));
      case SLOW_LINK -> slow(index);
      case PARTITION_F, PARTITION_F_PLUS_1 ->
          cut(plan.authorities(), plan.variant() ? Link.State.SILENT : Link.State.DOWN);
      case KILL_DATABASE -> killDatabase(index);
      case FREEZE_DATABASE ->
          new Pair(() -> database(index).freeze(), () -> database(index).thaw());
      case DISK_FULL -> diskFull(index);
      case LOG_FULL -> logFull(index);
      case POOL_EXHAUSTED ->
          new LockedTables(database(index), target.authority(index).databaseName(), plan.shard());
      case CONNECTIONS_EXHAUSTED ->
          new ExhaustedConnections(database(index), target.authority(index).databaseName());
      case SPLIT_RANGE -> new Pair(() -> split(index, plan), () -> {});
      case NEW_RULES -> newRules(plan);
      case POWER_LOSS -> powerLoss(index);
      case FAIL_OVER -> failOver(index, plan.variant());
      case CLOCK_JUMP -> clockJump(index, plan);
      case LIE ->
          new LyingAuthority(target.authority(index), target.shards(), plan.variant(), lies);
      case KILL_KAFKA, FREEZE_KAFKA, KAFKA_ABSENT, REFRESH_SHARES, CHANGE_NOTE_KEY ->
          throw new IllegalArgumentException(plan + " strikes no authority");
    };
  }

  private Fault halt(int index, String process, FaultKind kind) {
    AuthorityProcesses authority = target.authority(index);
    Step step = kind.step().orElseThrow();
    return new Pair(
        () -> {
          authority.haltAt(process, step);
          try {
            Await.until(
                process + " of authority " + index + " passes " + step,
                REACHED,
                () -> !authority.alive(process));
            coverage.killed(Coverage.place(kind));
          } catch (IllegalStateException e) {
            // otherwise it would die later
            authority.kill(process);
            coverage.killed(Coverage.ANY_TIME);
            throw e;
          }
        },
        () -> restart(authority, process));
  }

  private Fault kill(int index, String process) {
    AuthorityProcesses authority = target.authority(index);
    return new Pair(
        () -> {
          authority.kill(process);
          coverage.killed(Coverage.ANY_TIME);
        },
        () -> restart(authority, process));
  }

  private Fault killPublished(int index, int shard) {
    AuthorityProcesses authority = target.authority(index);
    String process = target.shardProcess(index, shard);
    return new Pair(
        () -> {
          target.cluster().kafka().orElseThrow().restart();
          try (PausedRelay held =
              new PausedRelay(database(index), authority.databaseName(), shard)) {
            held.awaitPublished();
            authority.kill(process);
            coverage.killed(Coverage.PUBLISHED);
          }
        },
        () -> restart(authority, process));
  }

  /**
   * Starts a process again, repeatedly while its dependencies are unavailable, as an orchestrator
   * does.
   */
  static void restart(AuthorityProcesses authority, String process) {
    long end = System.nanoTime() + RESTARTED.toNanos();
    while (true) {
      try {
        authority.start(process);
        return;
      } catch (IllegalStateException e) {
        if (System.nanoTime() - end > 0) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  private Fault freeze(int index, String process) {
    return new Pair(
        () -> target.authority(index).freeze(process), () -> target.authority(index).thaw(process));
  }

  private Fault slow(int index) {
    return new Pair(
        () -> links(index).forEach(link -> link.slow(SLOW)),
        () -> links(index).forEach(link -> link.slow(Duration.ZERO)));
  }

  private Fault cut(List<Integer> indexes, Link.State state) {
    return new Pair(
        () -> indexes.forEach(index -> links(index).forEach(link -> link.be(state))),
        () -> indexes.forEach(index -> links(index).forEach(link -> link.be(Link.State.UP))));
  }

  private Fault killDatabase(int index) {
    return new Pair(
        () -> {
          database(index).kill();
          coverage.killedDatabase();
        },
        () -> database(index).restart());
  }

  private Fault powerLoss(int index) {
    AuthorityProcesses authority = target.authority(index);
    List<String> stopped = new ArrayList<>();
    return new Pair(
        () -> {
          stopped.addAll(authority.running());
          FaultyMachine.Loss loss = authority.losePower();
          Console.say(
              "authority %d lost power: %d bytes of %d files were not fsynced",
              index, loss.bytes(), loss.files());
        },
        () -> {
          database(index).restart();
          stopped.forEach(authority::launch);
          stopped.forEach(process -> restart(authority, process));
        });
  }

  /**
   * Promotes the standby. Either the former primary is fenced off, or it is killed after a time in
   * which the standby was away and an operator cancelled the waits for it: then it has visible rows
   * that the standby lacks.
   */
  private Fault failOver(int index, boolean fenced) {
    PrimaryAndStandby pair = target.authority(index).replicas().orElseThrow();
    return new Pair(
        () -> {
          if (fenced) {
            pair.failOverByFencing();
          } else {
            pair.standby().stop();
            for (int i = 0; i < CANCELLATIONS; i++) {
              LockSupport.parkNanos(PAUSE.toNanos());
              pair.cancelWaiting();
            }
            pair.failOver();
          }
        },
        pair::replaceFormerPrimary);
  }

  private Fault clockJump(int index, PlannedFault plan) {
    FaultyMachine machine = target.authority(index).machine().orElseThrow();
    Duration by = JUMPS.get((int) (plan.holdMillis() % JUMPS.size()));
    Duration ahead = plan.variant() ? by : by.negated();
    return new Pair(
        () -> {
          machine.setClock(ahead);
          Console.say("authority %d: the clock is %d min ahead", index, ahead.toMinutes());
        },
        () -> {
          machine.setClock(Duration.ZERO);
          if (ahead.isPositive()) {
            // Kafka's client counts its waits by the time of day: one that began in the wrong time
            // ends when that time comes again
            restart(target.authority(index));
          }
        });
  }

  /** As an operator does. */
  private static void restart(AuthorityProcesses authority) {
    for (String name : authority.running()) {
      if (!authority.terminate(name)) {
        authority.kill(name);
      }
      authority.start(name);
    }
  }

  private Fault diskFull(int index) {
    Path volume = FaultTarget.databaseFolder(target.folder(), index);
    return new Pair(
        () -> fill(volume),
        () -> {
          target.volumes().resize(volume, FaultTarget.DATABASE_SIZE);
          database(index).revive();
        });
  }

  private Fault logFull(int index) {
    Path volume = FaultTarget.logFolder(target.folder(), index);
    return new Pair(
        () -> fill(volume), () -> target.volumes().resize(volume, FaultTarget.LOG_SIZE));
  }

  private void fill(Path volume) {
    try {
      target.volumes().full(volume);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Splits a range; in half of the cases the splitting process is killed and run again. */
  private void split(int index, PlannedFault plan) {
    int newShard = target.shards() + splits.merge(index, 1, Integer::sum) - 1;
    if (newShard >= target.shards() + ChaosOptions.SPARE_SHARDS) {
      Console.say("authority %d has no shard left that could join; nothing is split", index);
      return;
    }
    AuthorityProcesses authority = target.authority(index);
    String process = "split-" + newShard;
    Thread killer =
        Thread.ofVirtual()
            .unstarted(() ->
                killAt(
                    index,
                    process,
                    SPLIT_STEPS.get((int) (plan.holdMillis() % SPLIT_STEPS.size()))));
    if (plan.variant()) {
      killer.start();
    }
    try {
      splitPatiently(authority, process, plan.shard(), newShard);
    } finally {
      killer.interrupt();
    }
    Console.say(
        "authority %d: shard %d is split, shard %d has joined", index, plan.shard(), newShard);
  }

  /**
   * Runs a split until it is done: after a kill, or a slow answer of the new shard, the next run
   * finishes it.
   */
  private static void splitPatiently(
      AuthorityProcesses authority, String process, int shard, int newShard) {
    for (int attempt = 1; ; attempt++) {
      try {
        authority.split(process, shard, newShard);
        return;
      } catch (IllegalStateException e) {
        if (attempt == SPLIT_ATTEMPTS) {
          throw e;
        }
        Console.say("authority %d: the split was stopped and is run again", authority.index());
      }
    }
  }

  /** Kills the splitting process when its log contains a step. */
  private void killAt(int index, String process, String step) {
    Path log = target.folder().resolve("authority-" + index).resolve(process + ".log");
    try {
      while (!Files.exists(log) || !Files.readString(log).contains(step)) {
        Thread.sleep(5);
      }
      if (target.authority(index).alive(process)) {
        target.authority(index).kill(process);
        coverage.killed(Coverage.SPLITTING);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * With two authorities left a transfer gets the f+1 signatures that finish it under any rules;
   * with one it must be proved again.
   */
  private Fault newRules(PlannedFault plan) {
    Fault cut =
        cut(
            plan.variant() ? plan.authorities() : plan.authorities().subList(0, 2),
            Link.State.DOWN);
    return new Pair(
        () -> {
          cut.strike();
          rulesUpdates.checkpointForAll();
        },
        cut::heal);
  }

  private PostgresServer database(int index) {
    return target.authority(index).database();
  }

  private List<Link> links(int index) {
    List<Link> links = new ArrayList<>();
    for (int shard = 0; shard < target.shards(); shard++) {
      links.add(target.authority(index).link(shard));
    }
    return links;
  }
}
