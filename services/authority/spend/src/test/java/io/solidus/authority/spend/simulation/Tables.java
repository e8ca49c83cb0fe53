package io.solidus.authority.spend.simulation;

import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The tables of an authority: one schema for each shard, and the anchor of the sign-log. */
final class Tables {

  /** A core that the shard coordinates. */
  record CoreRow(Request request, @Nullable SimulatedPartial answer) {}

  /** The row with the ranges that a shard owns on this map. */
  record Ownership(RangeMap map, int shard) {

    private static final int NOBODY = -1;

    /** The row of a new shard whose schema is being filled. */
    static Ownership ofNothing(RangeMap map) {
      return new Ownership(map, NOBODY);
    }

    boolean covers(SerialNumber serial) {
      return map.ownerOf(serial) == shard;
    }
  }

  /**
   * Writes new rows of a range that is about to move to the schema of its next owner as well, in
   * the same transaction.
   */
  record DualWrite(RangeMap next, int newShard) {}

  /** One shard's schema. */
  static final class Schema {
    final Map<SerialNumber, TxCore> serials = new HashMap<>();
    final Map<TxCore, CoreRow> cores = new HashMap<>();
    Ownership ownership;
    @Nullable DualWrite dualWrite;

    Schema(Ownership ownership) {
      this.ownership = ownership;
    }
  }

  final SortedMap<Integer, Schema> shards = new TreeMap<>();
  RangeMap map;
  SignLog.Position anchor = SignLog.Position.GENESIS;

  Tables(RangeMap map) {
    this.map = map;
  }

  /** Inserts a row into the table of serial numbers of a shard; an existing row stays. */
  void hold(int shard, SerialNumber serial, TxCore core) {
    Schema schema = of(shard);
    schema.serials.putIfAbsent(serial, core);
    DualWrite dualWrite = schema.dualWrite;
    if (dualWrite != null && dualWrite.next().ownerOf(serial) == dualWrite.newShard()) {
      of(dualWrite.newShard()).serials.putIfAbsent(serial, core);
    }
  }

  /** Writes a row of the table of cores of a shard. */
  void keep(int shard, TxCore core, CoreRow row) {
    Schema schema = of(shard);
    schema.cores.put(core, row);
    DualWrite dualWrite = schema.dualWrite;
    if (dualWrite != null
        && dualWrite.next().ownerOf(row.request().transfer().lead()) == dualWrite.newShard()) {
      of(dualWrite.newShard()).cores.put(core, row);
    }
  }

  /** The schema of a shard; it may be missing after a stale standby took over. */
  Schema of(int shard) {
    Schema schema = shards.get(shard);
    if (schema == null) {
      throw Database.unavailable("the schema is missing");
    }
    return schema;
  }

  /** Whether a shard holds the serial number for exactly this core. */
  boolean holds(SerialNumber serial, TxCore core) {
    return shards.values().stream().anyMatch(schema -> core.equals(schema.serials.get(serial)));
  }

  /** Whether a shard holds the serial number for another core. */
  boolean holdsForAnother(SerialNumber serial, TxCore core) {
    for (Schema schema : shards.values()) {
      TxCore holder = schema.serials.get(serial);
      if (holder != null && !holder.equals(core)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a shard has stored an answer for the core. */
  boolean answered(TxCore core) {
    return shards.values().stream()
        .map(schema -> schema.cores.get(core))
        .anyMatch(row -> row != null && row.answer() != null);
  }
}
