package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.AdmissionCheck;
import io.solidus.authority.spend.Failpoints;
import io.solidus.authority.spend.Ok;
import io.solidus.authority.spend.Outcome;
import io.solidus.authority.spend.Ranges;
import io.solidus.authority.spend.Siblings;
import io.solidus.authority.spend.Signer;
import io.solidus.authority.spend.SpendRequest;
import io.solidus.authority.spend.SpendStore;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The ports of one shard, backed by the simulated world. Every call goes through the running batch.
 */
final class ShardPorts
    implements Supplier<Ranges>,
        AdmissionCheck<Request>,
        SpendStore<Request, SimulatedPartial>,
        Siblings,
        Signer<Request, SimulatedPartial>,
        Failpoints {

  private static final int SIBLING_DEADLINE = 30;
  private static final int SIGNER_DEADLINE = 60;

  private record MapView(RangeMap map, int self) implements Ranges {
    @Override
    public long version() {
      return map.version();
    }

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
    return shard.current().now("ranges", "", () -> new MapView(shard.map(), shard.index()));
  }

  @Override
  public void require(SpendRequest<Request> request, boolean holdsLead) {
    shard
        .current()
        .now(
            "admission",
            request,
            () -> {
              world
                  .rules()
                  .admit(
                      authority,
                      request.content(),
                      holdsLead || world.rules().claimsToFinish(request.content()));
              return "";
            });
  }

  @Override
  public Map<TxCore, Stored<SimulatedPartial>> answers(Collection<TxCore> cores) {
    List<SpendRequest<Request>> requests = shard.current().requests();
    return query(
        "answers",
        cores,
        tables -> {
          Map<TxCore, Stored<SimulatedPartial>> answers = new HashMap<>();
          for (TxCore core : cores) {
            Tables.CoreRow row = schema(tables).cores.get(core);
            if (row != null && row.answer() != null && answersAny(row, requests)) {
              answers.put(core, new Stored<>(row.answer(), current(row.answer())));
            }
          }
          return answers;
        });
  }

  private boolean current(SimulatedPartial answer) {
    return answer.epoch() >= authority.epoch()
        || world.mutated(Mutation.ANSWERS_OF_A_FORMER_EPOCH_STAY);
  }

  private boolean answersAny(Tables.CoreRow row, List<SpendRequest<Request>> requests) {
    return !world.mutated(Mutation.ANSWERS_KEYED_BY_REQUEST)
        || requests.stream().anyMatch(request -> request.content().equals(row.request()));
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
  public List<Outcome<Ok>> reserve(List<Reservation<Request>> reservations) {
    BatchRun run = shard.current();
    List<ReserveTransaction.Wanted> wanted =
        reservations.stream()
            .map(r ->
                new ReserveTransaction.Wanted(
                    r.request().core(),
                    r.own(),
                    r.request().content(),
                    run.hopelessInLife(r.request().core())))
            .toList();
    return transaction(
        "reserve", reservations, new ReserveTransaction(world, authority, shard, wanted));
  }

  @Override
  public Map<TxCore, SimulatedPartial> store(List<Signed<Request, SimulatedPartial>> answers) {
    return transaction(
        "store",
        answers,
        tables -> {
          Map<TxCore, SimulatedPartial> stored = new HashMap<>();
          for (Signed<Request, SimulatedPartial> signed : answers) {
            TxCore core = signed.request().core();
            Tables.CoreRow row = schema(tables).cores.get(core);
            if (row == null) {
              throw Database.unavailable("the request is not stored");
            }
            if (!schema(tables).ownership.covers(signed.request().lead())) {
              throw ShardNode.moved();
            }
            stored.put(core, newer(row.answer(), signed.answer()));
          }
          return new Database.Result<>(
              stored,
              t ->
                  stored.forEach((core, answer) -> {
                    Tables.CoreRow row = Objects.requireNonNull(schema(t).cores.get(core));
                    t.keep(shard.index(), core, new Tables.CoreRow(row.request(), answer));
                  }));
        });
  }

  /** A stored answer stays, unless the given one is of a later epoch. */
  private static SimulatedPartial newer(
      @Nullable SimulatedPartial stored, SimulatedPartial signed) {
    return stored == null || stored.epoch() < signed.epoch() ? signed : stored;
  }

  @Override
  public Map<Integer, Outcome<Map<SerialNumber, TxCore>>> holders(
      long mapVersion, SortedMap<Integer, List<SerialNumber>> byOwner) {
    return askAll(
        "sibling holders",
        byOwner,
        (owner, serials, reply) -> sibling(owner).holders(serials, reply));
  }

  @Override
  public Map<Integer, List<Outcome<Ok>>> reserve(
      long mapVersion, SortedMap<Integer, List<Claim>> byOwner) {
    Map<Integer, Outcome<List<Outcome<Ok>>>> replies =
        askAll(
            "sibling reserve",
            byOwner,
            (owner, claims, reply) -> sibling(owner).reserve(mapVersion, claims, reply));
    Map<Integer, List<Outcome<Ok>>> outcomes = new HashMap<>();
    replies.forEach((owner, reply) ->
        outcomes.put(
            owner,
            switch (reply) {
              case Outcome.Done<List<Outcome<Ok>>> done -> done.value();
              case Outcome.Failed<List<Outcome<Ok>>> failed ->
                  Objects.requireNonNull(byOwner.get(owner)).stream()
                      .map(c -> Outcome.<Ok>failed(failed.reason()))
                      .toList();
            }));
    return outcomes;
  }

  @Override
  public List<Outcome<Ok>> check(List<SpendRequest<Request>> requests) {
    return shard
        .current()
        .later(
            "check",
            requests,
            reply ->
                call(
                    SIGNER_DEADLINE,
                    authority.signer()::up,
                    done ->
                        done.accept(
                            Outcome.done(
                                requests.stream().map(authority.signer()::check).toList())),
                    reply));
  }

  @Override
  public List<Outcome<SimulatedPartial>> sign(List<SpendRequest<Request>> requests) {
    return shard
        .current()
        .later(
            "sign",
            requests,
            reply ->
                call(
                    SIGNER_DEADLINE,
                    authority.signer()::up,
                    done ->
                        authority
                            .signer()
                            .sign(requests, outcomes -> done.accept(Outcome.done(outcomes))),
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

  /** Calls each owner and waits for all of them, or for the deadline. */
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
   * Calls another process of this authority. The call or its answer may be lost, or the call may
   * arrive twice.
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
                world.events().in(world.random().between(0, 2), () -> once.accept(outcome));
              }
            });
          }
        };
    if (!world.fault(0.02)) {
      world.events().in(world.random().between(0, 3), arrive);
    }
    if (world.fault(0.03)) {
      world.events().in(world.random().between(0, 20), arrive);
    }
    world
        .events()
        .in(deadline, () -> once.accept(Outcome.failed(Database.unavailable("no answer in time"))));
  }

  private ShardNode sibling(int owner) {
    return Objects.requireNonNull(authority.shards().get(owner), "no such shard");
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
                    } catch (RuntimeException e) {
                      outcome = Outcome.failed(e);
                    }
                    reply.accept(outcome);
                  };
              if (world.random().chance(0.6)) {
                work.run();
              } else {
                world.events().in(world.random().between(0, 4), work);
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
                    .events()
                    .in(
                        world.random().between(0, 3),
                        () -> authority.database().transact(work, reply)));
  }
}
