package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.Ledger.Done;
import io.solidus.authority.spend.Outcome;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The transaction that reserves serial numbers, as statements over the whole list: ownership row,
 * holders, insert of what is new.
 */
final class Reserving implements Function<Tables, Database.Result<List<Outcome<Done>>>> {

  /**
   * @param request kept by the shard that coordinates; null at a sibling
   * @param hopelessInLife when another core held one of its serial numbers as its batch began: the
   *     life of the database that showed it; otherwise {@link #HOPEFUL}
   */
  record Wish(
      TxCore core, List<SerialNumber> serials, @Nullable Request request, int hopelessInLife) {}

  static final int HOPEFUL = -1;

  private record Row(SerialNumber serial, TxCore core) {}

  private final World world;
  private final Authority authority;
  private final ShardNode shard;
  private final List<Wish> wishes;

  Reserving(World world, Authority authority, ShardNode shard, List<Wish> wishes) {
    this.world = world;
    this.authority = authority;
    this.shard = shard;
    this.wishes = wishes;
  }

  @Override
  public Database.Result<List<Outcome<Done>>> apply(Tables tables) {
    Tables.Schema schema = tables.of(shard.index());
    List<Outcome<Done>> outcomes = wishes.stream().map(wish -> verdict(schema, wish)).toList();
    List<Row> fresh = new ArrayList<>();
    List<Wish> kept = new ArrayList<>();
    for (int i = 0; i < wishes.size(); i++) {
      Wish wish = wishes.get(i);
      if (outcomes.get(i) instanceof Outcome.Done<Done>) {
        wish.serials().stream()
            .filter(s -> isNew(schema, s, wish.core()))
            .forEach(s -> fresh.add(new Row(s, wish.core())));
        if (wish.request() != null && isRenewed(schema, wish)) {
          kept.add(wish);
        }
        world.oracle().reserves(authority, shard, tables, wish);
      }
    }
    world.note(() ->
        shard.name()
            + " reserves "
            + done(outcomes).stream().map(w -> w.core().hex().substring(0, 6)).toList()
            + " of "
            + wishes.size());
    if (fresh.isEmpty() && kept.isEmpty() && world.mutated(Mutation.RETRY_WITHOUT_DURABLE_MARK)) {
      return new Database.Result<>(outcomes, null);
    }
    boolean[] replay = new boolean[1];
    return new Database.Result<>(
        outcomes,
        t -> {
          insert(t, fresh, kept);
          if (!replay[0]) {
            world.oracle().reserved(authority, shard, t, done(outcomes));
          }
          replay[0] = true;
        });
  }

  private List<Wish> done(List<Outcome<Done>> outcomes) {
    List<Wish> done = new ArrayList<>();
    for (int i = 0; i < wishes.size(); i++) {
      if (outcomes.get(i) instanceof Outcome.Done<Done>) {
        done.add(wishes.get(i));
      }
    }
    return done;
  }

  private Outcome<Done> verdict(Tables.Schema schema, Wish wish) {
    if (!world.mutated(Mutation.OWNERSHIP_NOT_IN_TRANSACTION)) {
      if (!wish.serials().stream().allMatch(schema.ownership::covers)) {
        return Outcome.failed(ShardNode.moved());
      }
    }
    boolean held =
        wish.serials().stream()
            .map(schema.serials::get)
            .anyMatch(core -> core != null && !core.equals(wish.core()));
    if (held && !world.mutated(Mutation.SERIALS_NOT_UNIQUE)) {
      return Outcome.failed(
          new ProtocolException(
              RejectionCode.SERIAL_CONFLICT, "a serial number is held by another core"));
    }
    return Outcome.done(Done.DONE);
  }

  private boolean isNew(Tables.Schema schema, SerialNumber serial, TxCore core) {
    return world.mutated(Mutation.SERIALS_NOT_UNIQUE)
        ? !core.equals(schema.serials.get(serial))
        : !schema.serials.containsKey(serial);
  }

  private static boolean isRenewed(Tables.Schema schema, Wish wish) {
    Tables.CoreRow row = schema.cores.get(wish.core());
    return row == null || row.answer() == null && !row.request().equals(wish.request());
  }

  private void insert(Tables tables, List<Row> fresh, List<Wish> kept) {
    for (Row row : fresh) {
      if (world.mutated(Mutation.SERIALS_NOT_UNIQUE)) {
        tables.of(shard.index()).serials.remove(row.serial());
      }
      tables.hold(shard.index(), row.serial(), row.core());
    }
    for (Wish wish : kept) {
      Request request = Objects.requireNonNull(wish.request());
      tables.keep(shard.index(), wish.core(), new Tables.CoreRow(request, null));
    }
  }
}
