package io.solidus.authority.shard;

import io.solidus.authority.common.OwnershipRow;
import io.solidus.authority.common.ShardSchema;
import io.solidus.authority.shard.range.ShardMapView;
import io.solidus.authority.shard.range.ShardMaps;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import java.util.Collection;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The range of serial numbers that this shard owns. The map in memory routes requests. The
 * ownership row in the database decides: a shard that no longer owns the range reads this in the
 * transaction that would reserve.
 */
@Spec("V-16")
class Ownership {

  private final JdbcClient jdbc;
  private final ShardMaps maps;
  private final int shard;

  Ownership(JdbcClient jdbc, ShardMaps maps, int shard) {
    this.jdbc = jdbc;
    this.maps = maps;
    this.shard = shard;
  }

  /** The newest map known here; a batch keeps the one it started with. */
  ShardMapView ranges() {
    return new ShardMapView(maps.newest().map(), shard);
  }

  long mapVersion() {
    return maps.newest().map().version();
  }

  /** The newest map known here, signed by the authority, for callers with an older one. */
  String mapNote() {
    return maps.newest().note();
  }

  int ownerOf(SerialNumber serial) {
    return maps.newest().map().owner(serial);
  }

  boolean owns(SerialNumber serial) {
    return ownerOf(serial) == shard;
  }

  /** Reads newer maps from the database. */
  void refresh() {
    maps.refresh();
  }

  /**
   * Requires that the caller uses the same map version as this shard.
   *
   * @throws ProtocolException shard-moved for another version; this shard has looked for a newer
   *     map before
   */
  void requireVersion(long version) {
    if (version > mapVersion()) {
      maps.refresh();
    }
    if (version != mapVersion()) {
      throw moved("the shard map has another version here");
    }
  }

  /**
   * Requires the serial number to be in this shard's range by the newest map. {@link
   * #requireStillOwned} checks the row.
   */
  void requireOwned(SerialNumber serial) {
    if (!owns(serial)) {
      maps.refresh();
      if (!owns(serial)) {
        throw moved("another shard owns the serial number");
      }
    }
  }

  /**
   * Checks the row for a transaction that writes, and shares its lock: a transaction that takes the
   * range away waits until this one ends.
   *
   * @throws ProtocolException shard-moved; the caller rolls back
   */
  void requireInTransaction(Collection<SerialNumber> serials) {
    require(OwnershipRow.readForShare(jdbc, schema()), serials);
  }

  /** Checks the row after a read: everything read before was read while the range was here. */
  void requireStillOwned(Collection<SerialNumber> serials) {
    try {
      require(OwnershipRow.read(jdbc, schema()), serials);
    } catch (ProtocolException e) {
      maps.refresh();
      throw e;
    }
  }

  private String schema() {
    return ShardSchema.name(shard);
  }

  private static void require(Optional<OwnershipRow> row, Collection<SerialNumber> serials) {
    if (row.isEmpty() || !serials.stream().allMatch(row.get()::covers)) {
      throw moved("the range moved to another shard");
    }
  }

  private static ProtocolException moved(String detail) {
    return new ProtocolException(RejectionCode.SHARD_MOVED, detail);
  }
}
