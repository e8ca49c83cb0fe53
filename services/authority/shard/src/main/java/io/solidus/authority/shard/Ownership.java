package io.solidus.authority.shard;

import io.solidus.authority.common.OwnershipRow;
import io.solidus.authority.common.ShardSchema;
import io.solidus.authority.shard.range.RangeView;
import io.solidus.authority.shard.range.ShardMaps;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import java.util.Collection;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The range of serial numbers this shard answers for. The map in memory says where to send what;
 * the row in the database rules: a shard whose range was given away finds out in the very
 * transaction in which it would have reserved.
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

  /** The newest map known here; a batch keeps the one it began with. */
  RangeView ranges() {
    return new RangeView(maps.newest().map(), shard);
  }

  long mapVersion() {
    return maps.newest().map().version();
  }

  /** The newest map known here, signed by the authority: for whoever goes by an older one. */
  String mapNote() {
    return maps.newest().note();
  }

  int ownerOf(SerialNumber serial) {
    return maps.newest().map().owner(serial);
  }

  boolean owns(SerialNumber serial) {
    return ownerOf(serial) == shard;
  }

  /** Looks whether there is a newer map. */
  void refresh() {
    maps.refresh();
  }

  /**
   * @throws ProtocolException shard-moved when the caller goes by another map than this shard,
   *     which looked for a newer one
   */
  void requireVersion(long version) {
    if (version > mapVersion()) {
      maps.refresh();
    }
    if (version != mapVersion()) {
      throw moved("the shard map has another version here");
    }
  }

  /** By the map, after a look for a newer one; {@link #requireStillOwned} asks the row. */
  void requireOwned(SerialNumber serial) {
    if (!owns(serial)) {
      maps.refresh();
      if (!owns(serial)) {
        throw moved("another shard owns the serial number");
      }
    }
  }

  /**
   * For a transaction that writes: shares the row's lock with it, so that who takes the range away
   * waits until it is over.
   *
   * @throws ProtocolException shard-moved; the caller rolls back
   */
  void requireInTransaction(Collection<SerialNumber> serials) {
    require(OwnershipRow.readForShare(jdbc, schema()), serials);
  }

  /** For an answer: what was read before this was read while the range was here, or this throws. */
  void requireStillOwned(Collection<SerialNumber> serials) {
    try {
      require(OwnershipRow.read(jdbc, schema()), serials);
    } catch (ProtocolException moved) {
      maps.refresh();
      throw moved;
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
