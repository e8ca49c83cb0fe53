package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.Ok;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.authority.spend.simulation.SignLog.Position;
import io.solidus.protocol.TxCore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The process that holds the key share, modelled on the production signer. It verifies its log
 * against the database before it signs, signs only what it checked and finds reserved, and releases
 * a signature when the log is synced and the anchor has moved past it.
 */
final class SignerNode {

  private record Group(List<Transfer> transfers, Consumer<Boolean> recorded) {}

  private record Verdict(TxCore core, boolean proof, int policy) {}

  private final World world;
  private final Authority authority;
  private SimulatedPartial.Share share;
  private final SignLog log = new SignLog();
  private int life;
  private boolean up;
  private boolean ready;
  private boolean writing;
  private final Set<Verdict> verdicts = new HashSet<>();
  private final Set<Position> anchored = new LinkedHashSet<>();
  private final List<Group> waiting = new ArrayList<>();

  SignerNode(World world, Authority authority, SimulatedPartial.Share share) {
    this.world = world;
    this.authority = authority;
    this.share = share;
  }

  boolean up() {
    return up;
  }

  boolean ready() {
    return ready;
  }

  SignLog log() {
    return log;
  }

  void start() {
    up = true;
    later(world.random().between(0, 5), this::audit);
  }

  /** Crashes the machine of the signer; work in progress is lost. */
  void crash(int ticks) {
    world.cover(CoveragePoint.SIGNER_CRASHED);
    stop();
    log.crash(world.random());
    world.note(
        () -> authority.name() + " signer crashes with " + log.end().sequence() + " records kept");
    world.events().in(ticks, this::startAgain);
  }

  /** Restarts with the share of another epoch. */
  void refresh(SimulatedPartial.Share fresh, int ticks) {
    stop();
    share = fresh;
    world.events().in(ticks, this::startAgain);
  }

  private void stop() {
    life++;
    up = false;
    ready = false;
    writing = false;
    verdicts.clear();
    anchored.clear();
    waiting.clear();
  }

  /** Restarts with an older copy of its log; true when a synced entry is lost. */
  boolean loseLog(int records, int ticks) {
    stop();
    boolean lost = log.rollBack(records);
    world.events().in(ticks, this::startAgain);
    return lost;
  }

  private void startAgain() {
    if (!up) {
      start();
    }
  }

  Outcome<Ok> check(SpendRequest<Request> request) {
    try {
      requireReady();
      require(request.content());
      return Outcome.done(Ok.OK);
    } catch (RuntimeException e) {
      return Outcome.failed(e);
    }
  }

  /** Signs what can be signed. {@code done} is called when the signatures may leave. */
  void sign(List<SpendRequest<Request>> requests, Consumer<List<Outcome<SimulatedPartial>>> done) {
    List<Outcome<SimulatedPartial>> outcomes = new ArrayList<>();
    List<Transfer> signed = new ArrayList<>();
    for (SpendRequest<Request> request : requests) {
      Outcome<SimulatedPartial> outcome = signOne(request.content());
      outcomes.add(outcome);
      if (outcome instanceof Outcome.Done<SimulatedPartial>) {
        signed.add(request.content().transfer());
      }
    }
    if (signed.isEmpty()) {
      done.accept(outcomes);
      return;
    }
    waiting.add(
        new Group(
            signed,
            recorded -> {
              if (recorded) {
                signed.forEach(transfer -> world.oracle().left(authority, transfer));
                done.accept(outcomes);
              } else {
                done.accept(outcomes.stream().map(SignerNode::unrecorded).toList());
              }
            }));
    write();
  }

  private static Outcome<SimulatedPartial> unrecorded(Outcome<SimulatedPartial> outcome) {
    return outcome instanceof Outcome.Failed<SimulatedPartial>
        ? outcome
        : Outcome.failed(Database.unavailable("the signature was not recorded"));
  }

  private Outcome<SimulatedPartial> signOne(Request request) {
    try {
      requireReady();
      if (!verdicts.contains(verdict(request))) {
        require(request);
      }
      requireReserved(request.transfer());
      return Outcome.done(share.sign(request.transfer()));
    } catch (RuntimeException e) {
      return Outcome.failed(e);
    }
  }

  private void requireReady() {
    if (!ready) {
      throw Database.unavailable("the signer does not sign");
    }
  }

  private void require(Request request) {
    Transfer transfer = request.transfer();
    boolean finishing = world.rules().finishes(request);
    boolean holdsLead =
        authority.database().read(tables -> tables.holds(transfer.lead(), transfer.core()));
    world.rules().admit(authority, request, finishing || holdsLead);
    world.rules().requireProof(request);
    if (finishing) {
      world.cover(CoveragePoint.FINISHED_OUTSIDE_WINDOW);
    } else if (!holdsLead) {
      world.oracle().admittedInTime(authority, request);
    }
    world.oracle().checked(authority, transfer);
    verdicts.add(verdict(request));
  }

  private static Verdict verdict(Request request) {
    return new Verdict(request.transfer().core(), request.proof(), request.policy());
  }

  private void requireReserved(Transfer transfer) {
    boolean reserved =
        authority
            .database()
            .read(tables ->
                transfer.serials().stream().allMatch(s -> tables.holds(s, transfer.core())));
    if (!reserved && !world.mutated(Mutation.SIGNER_IGNORES_RESERVATIONS)) {
      throw Database.unavailable("what is to be signed is not reserved");
    }
  }

  /**
   * Writes the waiting groups. What arrives meanwhile shares the next sync and the next move of the
   * anchor.
   */
  private void write() {
    if (writing || waiting.isEmpty()) {
      return;
    }
    writing = true;
    List<Group> groups = List.copyOf(waiting);
    waiting.clear();
    groups.forEach(group -> log.append(group.transfers()));
    world.oracle().logged(authority, log);
    boolean early = world.mutated(Mutation.SIGNATURE_BEFORE_LOG_SYNC);
    if (early) {
      groups.forEach(group -> group.recorded().accept(true));
    }
    later(
        world.random().between(0, early ? 40 : 3),
        () -> {
          log.sync();
          moveAnchor(early ? List.of() : groups);
        });
  }

  private void moveAnchor(List<Group> groups) {
    boolean early = world.mutated(Mutation.SIGNATURE_BEFORE_ANCHOR);
    if (early) {
      groups.forEach(group -> group.recorded().accept(true));
    }
    Position to = log.end();
    List<Transfer> recorded = groups.stream().flatMap(group -> group.transfers().stream()).toList();
    later(
        world.random().between(0, early ? 40 : 1),
        () ->
            advance(
                to,
                recorded,
                moved -> {
                  if (!early) {
                    groups.forEach(group -> group.recorded().accept(moved));
                  }
                  writing = false;
                  write();
                }));
  }

  /**
   * Moves the anchor from where this process left it: one position, or one of several after an
   * update whose outcome is unknown. The same transaction checks again for the rows of the new
   * records: a stale standby that took over since then may lack exactly those.
   */
  private void advance(Position to, List<Transfer> recorded, Consumer<Boolean> done) {
    int now = life;
    Set<Position> from = Set.copyOf(anchored);
    anchored.add(to);
    authority
        .database()
        .<Boolean>transact(
            tables -> {
              boolean there =
                  from.contains(tables.anchor)
                      || world.mutated(Mutation.ANCHOR_MOVES_FROM_ANYWHERE);
              boolean fits =
                  there
                      && (held(tables, recorded)
                          || world.mutated(Mutation.ANCHOR_MOVES_WITHOUT_ROWS));
              return new Database.Result<>(fits, fits ? t -> t.anchor = to : null);
            },
            outcome -> {
              if (life != now) {
                return;
              }
              switch (outcome) {
                case Outcome.Done<Boolean> moved when moved.value() -> {
                  anchored.clear();
                  anchored.add(to);
                  done.accept(true);
                }
                case Outcome.Done<Boolean> elsewhere -> {
                  halt("the anchor, or a row that it covers, is not where this signer left it");
                  done.accept(false);
                }
                case Outcome.Failed<Boolean> unknown -> done.accept(false);
              }
            });
  }

  /** Opens the log for signing, or refuses. */
  private void audit() {
    if (!authority.database().up()) {
      later(world.random().between(3, 9), this::audit);
      return;
    }
    Tables tables = authority.database().tables();
    if (!log.reaches(tables.anchor) && !world.mutated(Mutation.ANCHOR_NOT_COMPARED)) {
      halt("the log does not hold the anchored record");
      return;
    }
    if (!held(tables, log.entries()) && !world.mutated(Mutation.SIGNER_BEHIND_THE_DATABASE)) {
      halt("the database lacks serial numbers of signed cores");
      return;
    }
    log.sync();
    anchored.clear();
    anchored.add(tables.anchor);
    advance(
        log.end(),
        List.of(),
        moved -> {
          if (moved) {
            ready = true;
          } else if (up) {
            later(world.random().between(3, 9), this::audit);
          }
        });
  }

  private static boolean held(Tables tables, List<Transfer> transfers) {
    return transfers.stream()
        .allMatch(t -> t.serials().stream().allMatch(serial -> tables.holds(serial, t.core())));
  }

  private void halt(String why) {
    ready = false;
    up = false;
    world.note(() -> authority.name() + " SIGNS NOTHING: " + why);
    world.oracle().halted(authority, why);
  }

  private void later(int ticks, Runnable work) {
    int now = life;
    world
        .events()
        .in(
            ticks,
            () -> {
              if (life == now && up) {
                work.run();
              }
            });
  }
}
