package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.Admission;
import io.solidus.authority.spend.Failpoints;
import io.solidus.authority.spend.Ledger;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Ranges;
import io.solidus.authority.spend.Siblings;
import io.solidus.authority.spend.Signer;
import io.solidus.authority.spend.Spend;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What one shard's pipeline sees of the simulated world. Every call goes through the batch that is
 * running.
 */
final class ShardPorts
    implements Supplier<Ranges>,
        Admission<Request>,
        Ledger<Request, Partial>,
        Siblings,
        Signer<Request, Partial>,
        Failpoints {

  private static final int SIBLING_DEADLINE = 30;
  private static final int SIGNER_DEADLINE = 60;

  private record Seen(RangeMap map, int self) implements Ranges {
    @Override
    public int ownerOf(SerialNumber serial) {
      return map.ownerOf(serial);
    }
  }

  private final World world;
  private final Authority authority;
  private final ShardNode shard;

  ShardPorts(World world, Authority authority, ShardNode shard) {
    this.world = world;
    this.authority = authority;
    this.shard = shard;
  }

  @Override
  public Ranges get() {
    return shard.current().now("ranges", "", () -> new Seen(shard.map(), shard.index()));
  }

  @Override
  public void require(Spend<Request> spend) {
    shard
        .current()
        .now(
            "admission",
            spend,
            () -> {
              world
                  .rules()
                  .admit(authority, spend.request(), world.rules().claimsToFinish(spend.request()));
              return "";
            });
  }

  @Override
  public Map<TxCore, Partial> answers(Collection<TxCore> cores) {
    List<Spend<Request>> spends = shard.current().spends();
    return query(
        "answers",
        cores,
        tables -> {
          Map<TxCore, Partial> answers = new HashMap<>();
          for (TxCore core : cores) {
            Tables.CoreRow row = schema(tables).cores.get(core);
            if (row != null && row.answer() != null && answersAny(row, spends)) {
              answers.put(core, row.answer());
            }
          }
          return answers;
        });
  }

  private boolean answersAny(Tables.CoreRow row, List<Spend<Request>> spends) {
    return !world.mutated(Mutation.ANSWERS_KEYED_BY_REQUEST)
        || spends.stream().anyMatch(spend -> spend.request().equals(row.request()));
  }

  @Override
  public Map<SerialNumber, TxCore> holders(Collection<SerialNumber> serials) {
    return query("holders", serials, tables -> holders(schema(tables), serials));
  }

  static Map<SerialNumber, TxCore> holders(Tables.Schema schema, Collection<SerialNumber> serials) {
    Map<SerialNumber, TxCore> holders = new HashMap<>();
    for (SerialNumber serial : serials) {
      TxCore core = schema.serials.get(serial);
      if (core != null) {
        holders.put(serial, core);
      }
    }
    return holders;
  }

  @Override
  public List<Outcome<Ledger.Done>> reserve(List<Reservation<Request>> reservations) {
    BatchRun run = shard.current();
    List<Reserving.Wish> wishes =
        reservations.stream()
            .map(r ->
                new Reserving.Wish(
                    r.spend().core(),
                    r.own(),
                    r.spend().request(),
                    run.hopelessInLife(r.spend().core())))
            .toList();
    return transaction("reserve", reservations, new Reserving(world, authority, shard, wishes));
  }

  @Override
  public Map<TxCore, Partial> store(List<Signed<Request, Partial>> answers) {
    return transaction(
        "store",
        answers,
        tables -> {
          Map<TxCore, Partial> stored = new HashMap<>();
          for (Signed<Request, Partial> signed : answers) {
            TxCore core = signed.spend().core();
            Tables.CoreRow row = schema(tables).cores.get(core);
            if (row == null) {
              throw Database.unavailable("the request is not stored");
            }
            if (!schema(tables).ownership.covers(signed.spend().lead())) {
              throw ShardNode.moved();
            }
            stored.put(core, row.answer() == null ? signed.answer() : row.answer());
          }
          return new Database.Result<>(
              stored,
              t ->
                  stored.forEach((core, answer) -> {
                    Tables.CoreRow row = schema(t).cores.get(core);
                    t.keep(shard.index(), core, new Tables.CoreRow(row.request(), answer));
                  }));
        });
  }

  @Override
  public Map<Integer, Outcome<Map<SerialNumber, TxCore>>> holders(
      SortedMap<Integer, List<SerialNumber>> byOwner) {
    return askAll(
        "sibling holders",
        byOwner,
        (owner, serials, reply) -> sibling(owner).holders(serials, reply));
  }

  @Override
  public Map<Integer, List<Outcome<Ledger.Done>>> reserve(SortedMap<Integer, List<Claim>> byOwner) {
    long version = shard.map().version();
    Map<Integer, Outcome<List<Outcome<Ledger.Done>>>> replies =
        askAll(
            "sibling reserve",
            byOwner,
            (owner, claims, reply) -> sibling(owner).reserve(version, claims, reply));
    Map<Integer, List<Outcome<Ledger.Done>>> outcomes = new HashMap<>();
    replies.forEach((owner, reply) ->
        outcomes.put(
            owner,
            switch (reply) {
              case Outcome.Done<List<Outcome<Ledger.Done>>> done -> done.value();
              case Outcome.Failed<List<Outcome<Ledger.Done>>> failed ->
                  byOwner.get(owner).stream()
                      .map(c -> Outcome.<Ledger.Done>failed(failed.reason()))
                      .toList();
            }));
    return outcomes;
  }

  @Override
  public List<Outcome<Ledger.Done>> check(List<Spend<Request>> spends) {
    return shard
        .current()
        .later(
            "check",
            spends,
            reply ->
                call(
                    SIGNER_DEADLINE,
                    authority.signer()::up,
                    done ->
                        done.accept(
                            Outcome.done(spends.stream().map(authority.signer()::check).toList())),
                    reply));
  }

  @Override
  public List<Outcome<Partial>> sign(List<Spend<Request>> spends) {
    return shard
        .current()
        .later(
            "sign",
            spends,
            reply ->
                call(
                    SIGNER_DEADLINE,
                    authority.signer()::up,
                    done ->
                        authority
                            .signer()
                            .sign(spends, outcomes -> done.accept(Outcome.done(outcomes))),
                    reply));
  }

  @Override
  public void reach(Step step) {
    shard
        .current()
        .now(
            "reach",
            step,
            () -> {
              if (step == Step.ALL_SERIALS_RESERVED) {
                authority.reservationReached();
              }
              if (world.fault(0.012)) {
                world.note(() -> shard.name() + " dies after " + step);
                throw new BatchRun.Crash();
              }
              return "";
            });
  }

  /** Asks each owner and waits for all, or for the deadline. */
  private <A, T> Map<Integer, Outcome<T>> askAll(
      String port, SortedMap<Integer, List<A>> byOwner, Question<A, T> question) {
    return shard
        .current()
        .later(
            port,
            byOwner,
            reply -> {
              Map<Integer, Outcome<T>> replies = new HashMap<>();
              byOwner.forEach((owner, items) ->
                  this.<T>call(
                      SIBLING_DEADLINE,
                      () -> authority.shards().containsKey(owner) && sibling(owner).up(),
                      done -> question.ask(owner, items, done),
                      outcome -> {
                        replies.put(owner, outcome);
                        if (replies.size() == byOwner.size()) {
                          reply.accept(Outcome.done(replies));
                        }
                      }));
            });
  }

  @FunctionalInterface
  private interface Question<A, T> {
    void ask(int owner, List<A> items, Consumer<Outcome<T>> reply);
  }

  /**
   * A call to another process of this authority: it or its answer may be lost, or it may arrive
   * twice.
   */
  private <T> void call(
      int deadline,
      Supplier<Boolean> up,
      Consumer<Consumer<Outcome<T>>> work,
      Consumer<Outcome<T>> reply) {
    boolean[] over = new boolean[1];
    Consumer<Outcome<T>> once =
        outcome -> {
          if (!over[0]) {
            over[0] = true;
            reply.accept(outcome);
          }
        };
    Runnable arrive =
        () -> {
          if (up.get()) {
            work.accept(outcome -> {
              if (!world.fault(0.02)) {
                world.agenda().in(world.dice().between(0, 2), () -> once.accept(outcome));
              }
            });
          }
        };
    if (!world.fault(0.02)) {
      world.agenda().in(world.dice().between(0, 3), arrive);
    }
    if (world.fault(0.03)) {
      world.agenda().in(world.dice().between(0, 20), arrive);
    }
    world
        .agenda()
        .in(deadline, () -> once.accept(Outcome.failed(Database.unavailable("no answer in time"))));
  }

  private ShardNode sibling(int owner) {
    return authority.shards().get(owner);
  }

  private Tables.Schema schema(Tables tables) {
    return tables.of(shard.index());
  }

  private <T> T query(String port, Object argument, Function<Tables, T> query) {
    return shard
        .current()
        .later(
            port,
            argument,
            reply -> {
              Runnable work =
                  () -> {
                    Outcome<T> outcome;
                    try {
                      outcome = Outcome.done(authority.database().read(query));
                    } catch (RuntimeException away) {
                      outcome = Outcome.failed(away);
                    }
                    reply.accept(outcome);
                  };
              if (world.dice().chance(0.6)) {
                work.run();
              } else {
                world.agenda().in(world.dice().between(0, 4), work);
              }
            });
  }

  private <T> T transaction(
      String port, Object argument, Function<Tables, Database.Result<T>> work) {
    return shard
        .current()
        .later(
            port,
            argument,
            reply ->
                world
                    .agenda()
                    .in(
                        world.dice().between(0, 3),
                        () -> authority.database().transact(work, reply)));
  }
}
