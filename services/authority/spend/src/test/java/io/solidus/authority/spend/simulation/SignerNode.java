package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.Ledger.Done;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Spend;
import io.solidus.authority.spend.simulation.SignLog.Position;
import io.solidus.protocol.TxCore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The process that holds the key share, modelled on the production signer: it verifies its log
 * against the database before it signs, signs what it checked and finds reserved, and lets a
 * signature out when the log is synced and the anchor has moved past it.
 */
final class SignerNode {

  private record Group(List<Transfer> transfers, Consumer<Boolean> recorded) {}

  private record Verdict(TxCore core, boolean proof, int policy) {}

  private final World world;
  private final Authority authority;
  private final Partial.Share share;
  private final SignLog log = new SignLog();
  private int life;
  private boolean up;
  private boolean ready;
  private boolean writing;
  private final Set<Verdict> verdicts = new HashSet<>();
  private final Set<Position> anchored = new LinkedHashSet<>();
  private final List<Group> waiting = new ArrayList<>();

  SignerNode(World world, Authority authority, Partial.Share share) {
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
    later(world.dice().between(0, 5), this::audit);
  }

  /** The machine under the signer stops; what it was doing is gone. */
  void crash(int ticks) {
    world.saw(Happening.SIGNER_CRASHED);
    stop();
    log.crash(world.dice());
    world.note(
        () -> authority.name() + " signer crashes with " + log.end().sequence() + " records kept");
    world.agenda().in(ticks, this::startAgain);
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

  /** Comes back with an older copy of its log; true when something synced is gone. */
  boolean loseLog(int records, int ticks) {
    stop();
    boolean lost = log.rollBack(records);
    world.agenda().in(ticks, this::startAgain);
    return lost;
  }

  private void startAgain() {
    if (!up) {
      start();
    }
  }

  Outcome<Done> check(Spend<Request> spend) {
    try {
      requireReady();
      require(spend.request());
      return Outcome.done(Done.DONE);
    } catch (RuntimeException no) {
      return Outcome.failed(no);
    }
  }

  /** Signs what can be signed; {@code done} hears when it may leave. */
  void sign(List<Spend<Request>> spends, Consumer<List<Outcome<Partial>>> done) {
    List<Outcome<Partial>> outcomes = new ArrayList<>();
    List<Transfer> signed = new ArrayList<>();
    for (Spend<Request> spend : spends) {
      Outcome<Partial> outcome = signOne(spend.request());
      outcomes.add(outcome);
      if (outcome instanceof Outcome.Done<Partial>) {
        signed.add(spend.request().transfer());
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

  private static Outcome<Partial> unrecorded(Outcome<Partial> outcome) {
    return outcome instanceof Outcome.Failed<Partial>
        ? outcome
        : Outcome.failed(Database.unavailable("the signature was not recorded"));
  }

  private Outcome<Partial> signOne(Request request) {
    try {
      requireReady();
      if (!verdicts.contains(verdict(request))) {
        require(request);
      }
      requireReserved(request.transfer());
      return Outcome.done(share.sign(request.transfer()));
    } catch (RuntimeException no) {
      return Outcome.failed(no);
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
    world.rules().admit(authority, request, finishing);
    world.rules().requireProof(request);
    if (finishing) {
      world.saw(Happening.FINISHED_OUTSIDE_WINDOW);
    } else {
      world.oracle().admittedInTime(transfer);
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
   * One writer: what comes while it writes shares the next sync and the next move of the anchor.
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
        world.dice().between(0, early ? 40 : 3),
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
        world.dice().between(0, early ? 40 : 1),
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
   * Moves the anchor from where this process left it: one place, or one of several after an update
   * whose outcome never came. The same transaction looks once more for the rows of what was just
   * recorded: a stale standby that took over since may lack exactly those.
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
                  halt("the anchor, or a row it vouches for, is not where this signer left it");
                  done.accept(false);
                }
                case Outcome.Failed<Boolean> unknown -> done.accept(false);
              }
            });
  }

  /** Opens the log for signing, or refuses. */
  private void audit() {
    if (!authority.database().up()) {
      later(world.dice().between(3, 9), this::audit);
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
            later(world.dice().between(3, 9), this::audit);
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
        .agenda()
        .in(
            ticks,
            () -> {
              if (life == now && up) {
                work.run();
              }
            });
  }
}
