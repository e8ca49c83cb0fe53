package io.solidus.validator.shard;

import io.solidus.protocol.FieldElement;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The spent set of this shard: which core holds a serial number. Rows only come; a trigger refuses anything else.
 *
 * <p>Specification: [V-04], [V-09].
 */
class SerialStore {

  private final JdbcClient jdbc;
  private final Ownership ownership;

  SerialStore(JdbcClient jdbc, Ownership ownership) {
    this.jdbc = jdbc;
    this.ownership = ownership;
  }

  /**
   * Holds all of {@code serials} for {@code core}, in the caller's transaction. What the same core holds already counts
   * as success; a serial number of another core makes the caller roll back.
   *
   * @return how many were new
   * @throws ProtocolException shard-moved or serial-conflict
   */
  int reserve(Collection<SerialNumber> serials, TxCore core) {
    ownership.requireInTransaction(serials);
    // ascending order, so that overlapping batches wait for each other instead of deadlocking
    byte[][] sorted = bytes(serials.stream().sorted().toList());
    List<byte[]> fresh =
        jdbc.sql(
                """
                INSERT INTO serials (serial, core)
                SELECT wanted.serial, :core FROM unnest(:serials::bytea[]) AS wanted(serial)
                ON CONFLICT DO NOTHING
                RETURNING serial
                """)
            .param("core", core.bytes())
            .param("serials", sorted)
            .query((rs, row) -> rs.getBytes(1))
            .list();
    if (fresh.size() < sorted.length) {
      requireHeldBy(serials, core);
    }
    return fresh.size();
  }

  /** The cores that hold these serial numbers; absent ones are unspent. */
  Map<SerialNumber, TxCore> holders(Collection<SerialNumber> serials) {
    Map<SerialNumber, TxCore> holders = new HashMap<>();
    jdbc.sql("SELECT serial, core FROM serials WHERE serial = ANY (:serials::bytea[])")
        .param("serials", bytes(serials))
        .query(rs -> {
          holders.put(new SerialNumber(FieldElement.of(rs.getBytes(1))), TxCore.of(rs.getBytes(2)));
        });
    return holders;
  }

  void requireNoOther(Collection<SerialNumber> serials, TxCore core) {
    if (holders(serials).values().stream().anyMatch(holder -> !holder.equals(core))) {
      throw conflict();
    }
  }

  static ProtocolException conflict() {
    return new ProtocolException(RejectionCode.SERIAL_CONFLICT, "a serial number is held by another core");
  }

  private void requireHeldBy(Collection<SerialNumber> serials, TxCore core) {
    Map<SerialNumber, TxCore> holders = holders(serials);
    for (SerialNumber serial : serials) {
      if (!core.equals(holders.get(serial))) {
        throw conflict();
      }
    }
  }

  private static byte[][] bytes(Collection<SerialNumber> serials) {
    return serials.stream().map(SerialNumber::bytes).toArray(byte[][]::new);
  }
}
