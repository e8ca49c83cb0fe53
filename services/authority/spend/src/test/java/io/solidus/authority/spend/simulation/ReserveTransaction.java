package io.solidus.authority.spend.simulation;

import io.solidus.authority.spend.Ok;
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
 * The transaction that reserves serial numbers, as set operations over the whole list: read the
 * ownership row and the holders, insert the new rows.
 */
final class ReserveTransaction implements Function<Tables, Database.Result<List<Outcome<Ok>>>> {

  /**
   * Serial numbers to reserve for one core.
   *
   * @param request stored by the shard that coordinates; null at a sibling
   * @param hopelessInLife when another core held one of its serial numbers as its batch began: the
   *     life of the database that showed it; otherwise {@link #HOPEFUL}
   */
  record Wanted(
      TxCore core, List<SerialNumber> serials, @Nullable Request request, int hopelessInLife) {}

  static final int HOPEFUL = -1;

  private record Row(SerialNumber serial, TxCore core) {}

  private final World world;
  private final Authority authority;
  private final ShardNode shard;
  private final List<Wanted> all;

  ReserveTransaction(World world, Authority authority, ShardNode shard, List<Wanted> all) {
    this.world = world;
    this.authority = authority;
    this.shard = shard;
    this.all = all;
  }

  @Override
  public Database.Result<List<Outcome<Ok>>> apply(Tables tables) {
    Tables.Schema schema = tables.of(shard.index());
    List<Outcome<Ok>> outcomes = all.stream().map(wanted -> verdict(schema, wanted)).toList();
    List<Row> fresh = new ArrayList<>();
    List<Wanted> kept = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      Wanted wanted = all.get(i);
      if (outcomes.get(i) instanceof Outcome.Done<Ok>) {
        wanted.serials().stream()
            .filter(s -> isNew(schema, s, wanted.core()))
            .forEach(s -> fresh.add(new Row(s, wanted.core())));
        if (wanted.request() != null && isRenewed(schema, wanted)) {
          kept.add(wanted);
        }
        world.oracle().reserves(authority, shard, tables, wanted);
      }
    }
    world.note(() ->
        shard.name()
            + " reserves "
            + done(outcomes).stream().map(w -> w.core().hex().substring(0, 6)).toList()
            + " of "
            + all.size());
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

  private List<Wanted> done(List<Outcome<Ok>> outcomes) {
    List<Wanted> done = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      if (outcomes.get(i) instanceof Outcome.Done<Ok>) {
        done.add(all.get(i));
      }
    }
    return done;
  }

  private Outcome<Ok> verdict(Tables.Schema schema, Wanted wanted) {
    if (!world.mutated(Mutation.OWNERSHIP_NOT_IN_TRANSACTION)) {
      if (!wanted.serials().stream().allMatch(schema.ownership::covers)) {
        return Outcome.failed(ShardNode.moved());
      }
    }
    boolean held =
        wanted.serials().stream()
            .map(schema.serials::get)
            .anyMatch(core -> core != null && !core.equals(wanted.core()));
    if (held && !world.mutated(Mutation.SERIALS_NOT_UNIQUE)) {
      return Outcome.failed(
          new ProtocolException(
              RejectionCode.SERIAL_CONFLICT, "a serial number is held by another core"));
    }
    return Outcome.done(Ok.OK);
  }

  private boolean isNew(Tables.Schema schema, SerialNumber serial, TxCore core) {
    return world.mutated(Mutation.SERIALS_NOT_UNIQUE)
        ? !core.equals(schema.serials.get(serial))
        : !schema.serials.containsKey(serial);
  }

  private static boolean isRenewed(Tables.Schema schema, Wanted wanted) {
    Tables.CoreRow row = schema.cores.get(wanted.core());
    return row == null || (row.answer() == null && !row.request().equals(wanted.request()));
  }

  private void insert(Tables tables, List<Row> fresh, List<Wanted> kept) {
    for (Row row : fresh) {
      if (world.mutated(Mutation.SERIALS_NOT_UNIQUE)) {
        tables.of(shard.index()).serials.remove(row.serial());
      }
      tables.hold(shard.index(), row.serial(), row.core());
    }
    for (Wanted wanted : kept) {
      Request request = Objects.requireNonNull(wanted.request());
      tables.keep(shard.index(), wanted.core(), new Tables.CoreRow(request, null));
    }
  }
}
