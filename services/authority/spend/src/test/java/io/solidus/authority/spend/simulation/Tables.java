package io.solidus.authority.spend.simulation;

import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What an authority's database holds: one schema for each shard, and the anchor of the sign-log.
 */
final class Tables {

  /** A core the shard coordinates. */
  record CoreRow(Request request, @Nullable Partial answer) {}

  /** The row that says what a shard answers for: its ranges on this map. */
  record Ownership(RangeMap map, int shard) {

    private static final int NOBODY = -1;

    /** A schema that is being filled. */
    static Ownership ofNothing(RangeMap map) {
      return new Ownership(map, NOBODY);
    }

    boolean covers(SerialNumber serial) {
      return map.ownerOf(serial) == shard;
    }
  }

  /**
   * What is written to a range that is about to move is written to its next owner's schema as well,
   * in the same transaction.
   */
  record Capture(RangeMap next, int newcomer) {}

  /** One shard's schema. */
  static final class Schema {
    final Map<SerialNumber, TxCore> serials = new HashMap<>();
    final Map<TxCore, CoreRow> cores = new HashMap<>();
    Ownership ownership;
    @Nullable Capture capture;

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

  /** Writes a row of a shard's table of serial numbers; what is there stays. */
  void hold(int shard, SerialNumber serial, TxCore core) {
    Schema schema = of(shard);
    schema.serials.putIfAbsent(serial, core);
    if (schema.capture instanceof Capture capture
        && capture.next().ownerOf(serial) == capture.newcomer()) {
      of(capture.newcomer()).serials.putIfAbsent(serial, core);
    }
  }

  /** Writes a row of a shard's table of cores. */
  void keep(int shard, TxCore core, CoreRow row) {
    Schema schema = of(shard);
    schema.cores.put(core, row);
    if (schema.capture instanceof Capture capture
        && capture.next().ownerOf(row.request().transfer().lead()) == capture.newcomer()) {
      of(capture.newcomer()).cores.put(core, row);
    }
  }

  /** One shard's schema; it may be missing after a stale standby took over. */
  Schema of(int shard) {
    Schema schema = shards.get(shard);
    if (schema == null) {
      throw Database.unavailable("the schema is missing");
    }
    return schema;
  }

  /** Whether some shard holds the serial number for exactly this core. */
  boolean holds(SerialNumber serial, TxCore core) {
    return shards.values().stream().anyMatch(schema -> core.equals(schema.serials.get(serial)));
  }

  /** Whether some shard holds the serial number for another core. */
  boolean holdsForAnother(SerialNumber serial, TxCore core) {
    for (Schema schema : shards.values()) {
      TxCore holder = schema.serials.get(serial);
      if (holder != null && !holder.equals(core)) {
        return true;
      }
    }
    return false;
  }

  /** Whether some shard has stored an answer for the core. */
  boolean answered(TxCore core) {
    return shards.values().stream()
        .map(schema -> schema.cores.get(core))
        .anyMatch(row -> row != null && row.answer() != null);
  }
}
