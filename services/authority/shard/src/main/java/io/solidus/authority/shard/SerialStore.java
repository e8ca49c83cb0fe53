package io.solidus.authority.shard;

import io.solidus.authority.common.DurableMark;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.Spec;
import io.solidus.protocol.TxCore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The spent set of this shard: which core holds a serial number. Rows only come; a trigger refuses
 * anything else.
 */
class SerialStore {

  /**
   * @param fresh cores that hold at least one serial number since just now
   * @param refused cores that want a serial number of another core; the caller rolls back when
   *     there are any
   */
  record Held(Set<TxCore> fresh, Set<TxCore> refused) {}

  private final JdbcClient jdbc;
  private final Ownership ownership;

  SerialStore(JdbcClient jdbc, Ownership ownership) {
    this.jdbc = jdbc;
    this.ownership = ownership;
  }

  /**
   * Inserts what is absent, in the caller's transaction. What the same core holds already counts as
   * held.
   *
   * @param wanted ascending, so that overlapping batches wait for each other instead of deadlocking
   * @throws io.solidus.protocol.ProtocolException shard-moved
   */
  @Spec("V-09")
  Held hold(SortedMap<SerialNumber, TxCore> wanted) {
    ownership.requireInTransaction(wanted.keySet());
    Set<SerialNumber> fresh = insert(wanted);
    Set<TxCore> freshCores = new HashSet<>();
    fresh.forEach(serial -> freshCores.add(wanted.get(serial)));
    if (fresh.size() == wanted.size()) {
      return new Held(freshCores, Set.of());
    }
    return new Held(freshCores, refused(wanted, fresh));
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

  private Set<TxCore> refused(SortedMap<SerialNumber, TxCore> wanted, Set<SerialNumber> fresh) {
    List<SerialNumber> found = new ArrayList<>(wanted.keySet());
    found.removeAll(fresh);
    Map<SerialNumber, TxCore> holders = holders(found);
    Set<TxCore> refused = new HashSet<>();
    for (SerialNumber serial : found) {
      if (!wanted.get(serial).equals(holders.get(serial))) {
        refused.add(wanted.get(serial));
      }
    }
    if (refused.isEmpty()) {
      DurableMark.leave(jdbc);
    }
    return refused;
  }
}
