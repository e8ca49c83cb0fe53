package io.solidus.validator.shard;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.ShardMap;
import io.solidus.protocol.ShardRange;
import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The range of serial numbers this shard answers for. The row in the database rules, not the configuration: a shard whose
 * range was given away is fenced there, and finds out in the very transaction in which it would have reserved.
 */
class Ownership {

  private record Row(long mapVersion, byte[] lo, byte @Nullable [] hiExclusive, boolean fenced) {}

  private final JdbcClient jdbc;
  private final ShardMap map;
  private final int shard;

  Ownership(JdbcClient jdbc, ShardMap map, int shard) {
    this.jdbc = jdbc;
    this.map = map;
    this.shard = shard;
  }

  /** Takes the configured range on the very first start; later the row has to agree. */
  void establish() {
    ShardRange range = map.ranges().get(shard);
    jdbc.sql(
            """
            INSERT INTO ownership (map_version, lo, hi_exclusive) VALUES (:version, :lo, :hi) ON CONFLICT DO NOTHING
            """)
        .param("version", map.version())
        .param("lo", range.lo().bytes())
        .param("hi", bytesOrNull(range.hiExclusive()))
        .update();
    if (!agrees(read(""))) {
      throw new IllegalStateException(
          "shard " + shard + " owns another range, or another shard map version, than its configuration says");
    }
  }

  long mapVersion() {
    return map.version();
  }

  int ownerOf(SerialNumber serial) {
    return map.owner(serial);
  }

  boolean owns(SerialNumber serial) {
    return ownerOf(serial) == shard;
  }

  void requireVersion(long version) {
    if (version != map.version()) {
      throw moved("the shard map has another version here");
    }
  }

  void requireOwned(SerialNumber serial) {
    if (!owns(serial)) {
      throw moved("another shard owns the serial number");
    }
  }

  /** Shares the row's lock with the caller's transaction: who fences the range waits until it is over. */
  void requireInTransaction(Collection<SerialNumber> serials) {
    Row row = read(" FOR SHARE");
    if (!agrees(row) || row.fenced()) {
      throw moved("the range moved to another shard");
    }
    serials.forEach(this::requireOwned);
  }

  private boolean agrees(Row row) {
    ShardRange range = map.ranges().get(shard);
    return row.mapVersion() == map.version()
        && FieldElement.of(row.lo()).equals(range.lo())
        && Arrays.equals(row.hiExclusive(), bytesOrNull(range.hiExclusive()));
  }

  private Row read(String lock) {
    return jdbc.sql("SELECT map_version, lo, hi_exclusive, fenced FROM ownership" + lock)
        .query((rs, n) -> new Row(rs.getLong(1), rs.getBytes(2), rs.getBytes(3), rs.getBoolean(4)))
        .single();
  }

  private static byte @Nullable [] bytesOrNull(@Nullable FieldElement value) {
    return value == null ? null : value.bytes();
  }

  private static ProtocolException moved(String detail) {
    return new ProtocolException(RejectionCode.SHARD_MOVED, detail);
  }
}
