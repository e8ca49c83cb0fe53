package io.solidus.authority.spend.simulation;

import java.util.List;

/**
 * What goes wrong with the machines, and when: chosen by the seed before the world begins to move.
 */
final class Chaos {

  private enum Fault {
    SHARD_CRASH,
    SIGNER_CRASH,
    DATABASE_CRASH,
    MACHINE_CRASH,
    SAFE_FAILOVER,
    STALLED_STANDBY,
    PARTITION
  }

  private final World world;

  Chaos(World world) {
    this.world = world;
  }

  void begin() {
    for (Authority authority : world.authorities()) {
      int faults = world.dice().below(5);
      if (world.dice().chance(0.4)) {
        world
            .agenda()
            .in(
                world.dice().between(0, 300),
                () -> authority.split(Transfer.serial(world.dice().next())));
      }
      for (int i = 0; i < faults; i++) {
        Fault fault = world.dice().pick(List.of(Fault.values()));
        world
            .agenda()
            .in(world.dice().between(0, World.FAULTS_END), () -> happen(authority, fault));
      }
    }
  }

  /**
   * The storage of one authority forgets what it promised to keep: it may sign nothing any more.
   */
  void breakStorage(Authority authority) {
    boolean midway = world.dice().chance(0.5);
    world
        .agenda()
        .in(
            world.dice().between(50, World.FAULTS_END),
            () -> {
              if (midway) {
                authority.afterNextReservation(() -> forget(authority));
              } else {
                forget(authority);
              }
            });
  }

  private void forget(Authority authority) {
    boolean database = world.dice().chance(0.6);
    // before anything can be noticed
    authority.breakStorage();
    boolean lost;
    if (database) {
      lost = authority.database().failOverToStale();
      if (world.dice().chance(0.5)) {
        authority.signer().crash(world.dice().between(3, 40));
      }
    } else {
      lost = authority.signer().loseLog(world.dice().between(1, 3), world.dice().between(3, 40));
    }
    if (lost) {
      world.saw(database ? Happening.ROWS_FORGOTTEN : Happening.LOG_FORGOTTEN);
    }
    world.note(
        () -> authority.name() + " lost " + (database ? "rows" : "log records") + ": " + lost);
  }

  private void happen(Authority authority, Fault fault) {
    int ticks = world.dice().between(5, 120);
    world.note(() -> authority.name() + " " + fault);
    switch (fault) {
      case SHARD_CRASH -> world.dice().pick(List.copyOf(authority.shards().values())).crash(ticks);
      case SIGNER_CRASH -> authority.signer().crash(ticks);
      case DATABASE_CRASH -> authority.database().crash(ticks);
      case MACHINE_CRASH -> {
        authority.database().crash(ticks);
        authority.signer().crash(ticks);
        authority.shards().values().forEach(shard -> shard.crash(ticks));
      }
      case SAFE_FAILOVER -> {
        if (authority.database().hasStandby()) {
          authority.database().failOver();
          if (world.dice().chance(0.5)) {
            authority.signer().crash(ticks);
          }
        }
      }
      case STALLED_STANDBY -> stall(authority, ticks);
      case PARTITION -> world.partition(authority.index(), ticks);
    }
  }

  /** Often the primary is lost before the standby has caught up. */
  private void stall(Authority authority, int ticks) {
    authority.database().stallReplication(ticks);
    if (authority.database().hasStandby() && world.dice().chance(0.6)) {
      world.agenda().in(ticks - 1, authority.database()::failOver);
    }
  }
}
