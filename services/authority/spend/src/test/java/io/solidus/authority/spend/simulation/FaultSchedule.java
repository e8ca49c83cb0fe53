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
   * Refreshes the shares in some worlds: every authority restarts in turn, within a time in which
   * other faults go on.
   */
  void refresh() {
    if (!world.extra().chance(0.3)) {
      return;
    }
    int begin = world.extra().between(20, 300);
    int within = world.extra().pick(List.of(10, 100, 250));
    for (Authority authority : world.authorities()) {
      world.events().in(begin + world.extra().between(0, within), authority::refreshShares);
    }
  }

  /**
   * Sets clocks wrong in some worlds, forward or back, until the faults end. An authority with a
   * wrong clock counts as faulty.
   *
   * @param most of them
   */
  void setClocks(List<Authority> candidates, int most) {
    boolean tooMany = world.mutated(Mutation.CLOCKS_OF_MANY_WRONG);
    int wrong = tooMany ? world.rules().f() + 1 : most;
    if (wrong <= 0 || (!tooMany && world.extra().chance(0.5))) {
      return;
    }
    for (Authority authority : candidates.subList(0, Math.min(wrong, candidates.size()))) {
      int ticks = world.extra().between(30, 400);
      long ahead = tooMany || world.extra().chance(0.5) ? -ticks : ticks;
      world
          .events()
          .in(
              tooMany ? 0 : world.extra().between(0, 300),
              () -> {
                authority.setClock(ahead);
                world.cover(CoveragePoint.CLOCK_WRONG);
                world.note(() -> authority.name() + "'s clock is " + ahead + " ticks ahead");
              });
      world.events().in(World.FAULTS_END, () -> authority.setClock(0));
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
