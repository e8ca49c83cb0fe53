package io.solidus.authority.shard;

import io.solidus.platform.database.DurableMark;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The spent set of this shard: which core holds a serial number. Rows are only inserted; a trigger
 * rejects any other change.
 */
class SerialStore {

  /**
   * The result of {@link #hold}.
   *
   * @param fresh cores that hold at least one serial number since this call
   * @param rejected cores that want a serial number of another core; if there are any, the caller
   *     rolls back
   */
  record Held(Set<TxCore> fresh, Set<TxCore> rejected) {}

  private final JdbcClient jdbc;
  private final Ownership ownership;

  SerialStore(JdbcClient jdbc, Ownership ownership) {
    this.jdbc = jdbc;
    this.ownership = ownership;
  }

  /**
   * Inserts the missing rows in the caller's transaction. A serial number that the same core
   * already holds counts as held.
   *
   * @param wanted ascending, so that overlapping batches wait for each other instead of deadlocking
   * @throws io.solidus.protocol.ProtocolException shard-moved
   */
  @Spec("V-09")
  Held hold(SortedMap<SerialNumber, TxCore> wanted) {
    ownership.requireInTransaction(wanted.keySet());
    Set<SerialNumber> fresh = insert(wanted);
    Set<TxCore> freshCores = new HashSet<>();
    wanted.forEach((serial, core) -> {
      if (fresh.contains(serial)) {
        freshCores.add(core);
      }
    });
    if (fresh.size() == wanted.size()) {
      return new Held(freshCores, Set.of());
    }
    return new Held(freshCores, rejected(wanted, fresh));
  }

  /** The cores that hold these serial numbers; absent ones are unspent. */
  Map<SerialNumber, TxCore> holders(Collection<SerialNumber> serials) {
    Map<SerialNumber, TxCore> holders = new HashMap<>();
    if (serials.isEmpty()) {
      return holders;
    }
    jdbc.sql("SELECT serial, core FROM serials WHERE serial = ANY (:serials::bytea[])")
        .param("serials", serials.stream().map(SerialNumber::bytes).toArray(byte[][]::new))
        .query(rs -> {
          holders.put(SerialNumber.of(rs.getBytes(1)), TxCore.of(rs.getBytes(2)));
        });
    return holders;
  }

  private Set<SerialNumber> insert(SortedMap<SerialNumber, TxCore> wanted) {
    Set<SerialNumber> fresh = new HashSet<>();
    jdbc.sql(
            """
            INSERT INTO serials (serial, core)
            SELECT wanted.serial, wanted.core FROM unnest(:serials::bytea[], :cores::bytea[]) AS wanted(serial, core)
            ON CONFLICT DO NOTHING
            RETURNING serial
            """)
        .param("serials", wanted.keySet().stream().map(SerialNumber::bytes).toArray(byte[][]::new))
        .param("cores", wanted.values().stream().map(TxCore::bytes).toArray(byte[][]::new))
        .query(rs -> {
          fresh.add(SerialNumber.of(rs.getBytes(1)));
        });
    return fresh;
  }

  private Set<TxCore> rejected(SortedMap<SerialNumber, TxCore> wanted, Set<SerialNumber> fresh) {
    SortedMap<SerialNumber, TxCore> found = new TreeMap<>(wanted);
    found.keySet().removeAll(fresh);
    Map<SerialNumber, TxCore> holders = holders(found.keySet());
    Set<TxCore> rejected = new HashSet<>();
    found.forEach((serial, core) -> {
      if (!core.equals(holders.get(serial))) {
        rejected.add(core);
      }
    });
    if (rejected.isEmpty()) {
      DurableMark.leave(jdbc);
    }
    return rejected;
  }
}
