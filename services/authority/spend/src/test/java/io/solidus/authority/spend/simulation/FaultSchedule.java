package io.solidus.authority.spend.simulation;

import java.util.List;

/** The faults of the machines and their times, chosen by the seed before the simulation starts. */
final class FaultSchedule {

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

  FaultSchedule(World world) {
    this.world = world;
  }

  void schedule() {
    for (Authority authority : world.authorities()) {
      int faults = world.random().below(5);
      if (world.random().chance(0.4)) {
        world
            .events()
            .in(
                world.random().between(0, 300),
                () -> authority.split(Transfer.serial(world.random().next())));
      }
      for (int i = 0; i < faults; i++) {
        Fault fault = world.random().pick(List.of(Fault.values()));
        world
            .events()
            .in(world.random().between(0, World.FAULTS_END), () -> inject(authority, fault));
      }
    }
  }

  /**
   * Makes the storage of one authority lose what it acknowledged; the authority may sign nothing
   * any more.
   */
  void breakStorage(Authority authority) {
    boolean midway = world.random().chance(0.5);
    world
        .events()
        .in(
            world.random().between(50, World.FAULTS_END),
            () -> {
              if (midway) {
                authority.afterNextReservation(() -> forget(authority));
              } else {
                forget(authority);
              }
            });
  }

  private void forget(Authority authority) {
    boolean database = world.random().chance(0.6);
    // marked before a component can notice the loss
    authority.breakStorage();
    boolean lost;
    if (database) {
      lost = authority.database().failOverToStale();
      if (world.random().chance(0.5)) {
        authority.signer().crash(world.random().between(3, 40));
      }
    } else {
      lost =
          authority.signer().loseLog(world.random().between(1, 3), world.random().between(3, 40));
    }
    if (lost) {
      world.cover(database ? CoveragePoint.ROWS_FORGOTTEN : CoveragePoint.LOG_FORGOTTEN);
    }
    world.note(
        () -> authority.name() + " lost " + (database ? "rows" : "log records") + ": " + lost);
  }

  private void inject(Authority authority, Fault fault) {
    int ticks = world.random().between(5, 120);
    world.note(() -> authority.name() + " " + fault);
    switch (fault) {
      case SHARD_CRASH ->
          world.random().pick(List.copyOf(authority.shards().values())).crash(ticks);
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
          if (world.random().chance(0.5)) {
            authority.signer().crash(ticks);
          }
        }
      }
      case STALLED_STANDBY -> stall(authority, ticks);
      case PARTITION -> world.partition(authority.index(), ticks);
    }
  }

  /** Often the primary fails before the standby has caught up. */
  private void stall(Authority authority, int ticks) {
    authority.database().stallReplication(ticks);
    if (authority.database().hasStandby() && world.random().chance(0.6)) {
      world.events().in(ticks - 1, authority.database()::failOver);
    }
  }
}
