package io.solidus.authority.signer.log;

import io.solidus.protocol.Family;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Reads the schemas of this authority's shards and of its compliance issuer, to check that
 * everything that was signed is recorded there.
 */
public final class SpentRows {

  /** A serial number and the core it is reserved for. */
  public record Spent(SerialNumber serial, TxCore core) {}

  /**
   * Prevents a join: a join that was planned while the table was small reads the whole table for
   * every batch when it has grown.
   */
  private static final String NO_JOIN = "OFFSET 0";

  private final JdbcClient jdbc;

  public SpentRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Requires the rows of signed records.
   *
   * @throws LogDamagedException when the database lacks a row: it was rolled back
   */
  void requireSigned(List<SignRecord> records) {
    List<Spent> rows = new ArrayList<>();
    for (SignRecord record : records) {
      if (record.family() != Family.REGISTER) {
        for (int i = 0; i < record.serials().size(); i++) {
          rows.add(new Spent(record.serials().get(i), record.holders().get(i)));
        }
      }
    }
    long missing = missing(rows);
    if (missing > 0) {
      throw new LogDamagedException(
          "the database lacks " + missing + " serial numbers of signed cores: it was rolled back");
    }
    long unregistered =
        missingRegistrations(
            records.stream()
                .filter(r -> r.family() == Family.REGISTER)
                .map(SignRecord::core)
                .toList());
    if (unregistered > 0) {
      throw new LogDamagedException(
          "the database lacks " + unregistered + " signed registrations: it was rolled back");
    }
  }

  /** Whether a shard holds the serial number for exactly this core. */
  public boolean holds(SerialNumber serial, TxCore core) {
    return missing(List.of(new Spent(serial, core))) == 0;
  }

  /** The number of pairs that no shard holds with exactly this core. */
  public long missing(List<Spent> rows) {
    return rows.isEmpty() ? 0 : notHeld("count(*)", rows).query(Long.class).single();
  }

  /**
   * The cores with a pair that no shard holds, and the registrations that the compliance issuer
   * does not hold.
   */
  public Set<TxCore> unreserved(List<Spent> rows, List<TxCore> registrations) {
    Set<TxCore> cores = new HashSet<>();
    if (!rows.isEmpty()) {
      cores.addAll(
          notHeld("DISTINCT core", rows).query((rs, row) -> TxCore.of(rs.getBytes(1))).list());
    }
    for (TxCore registration : registrations) {
      if (missingRegistrations(List.of(registration)) > 0) {
        cores.add(registration);
      }
    }
    return cores;
  }

  /** Every core that a shard holds one of these serial numbers for. */
  public Map<SerialNumber, Set<TxCore>> holders(List<SerialNumber> serials) {
    Map<SerialNumber, Set<TxCore>> holders = new HashMap<>();
    for (String schema : shardSchemas()) {
      jdbc.sql(
              "SELECT serial, core FROM "
                  + schema
                  + ".serials WHERE serial = ANY (:serials::bytea[])")
          .param("serials", serials.stream().map(SerialNumber::bytes).toArray(byte[][]::new))
          .query(rs -> {
            holders
                .computeIfAbsent(SerialNumber.of(rs.getBytes(1)), any -> new HashSet<>())
                .add(TxCore.of(rs.getBytes(2)));
          });
    }
    return holders;
  }

  private JdbcClient.StatementSpec notHeld(String columns, List<Spent> rows) {
    StringBuilder sql =
        new StringBuilder("SELECT ")
            .append(columns)
            .append(
                " FROM unnest(:serials::bytea[], :cores::bytea[]) AS signed(serial, core) WHERE true");
    for (String schema : shardSchemas()) {
      sql.append(" AND NOT EXISTS (SELECT 1 FROM ")
          .append(schema)
          .append(".serials s WHERE s.serial = signed.serial AND s.core = signed.core ")
          .append(NO_JOIN)
          .append(')');
    }
    // ascending, because neighbours in the index share its pages
    List<Spent> sorted = rows.stream().sorted(Comparator.comparing(Spent::serial)).toList();
    return jdbc.sql(sql.toString())
        .param("serials", sorted.stream().map(r -> r.serial().bytes()).toArray(byte[][]::new))
        .param("cores", sorted.stream().map(r -> r.core().bytes()).toArray(byte[][]::new));
  }

  /** The number of registrations that the compliance issuer does not hold. */
  public long missingRegistrations(List<TxCore> cores) {
    if (cores.isEmpty()) {
      return 0;
    }
    if (!exists("issuer", "registration")) {
      return cores.size();
    }
    return jdbc.sql(
            """
            SELECT count(*) FROM unnest(:cores::bytea[]) AS signed(core)
            WHERE NOT EXISTS (SELECT 1 FROM issuer.registration r WHERE r.core = signed.core %s)
            """
                .formatted(NO_JOIN))
        .param("cores", cores.stream().map(TxCore::bytes).toArray(byte[][]::new))
        .query(Long.class)
        .single();
  }

  private boolean exists(String schema, String table) {
    return jdbc.sql(
            "SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = :schema AND tablename = :table)")
        .param("schema", schema)
        .param("table", table)
        .query(Boolean.class)
        .single();
  }

  /** The schemas of this authority's shards. */
  List<String> shardSchemas() {
    return jdbc.sql(
            """
            SELECT schemaname FROM pg_catalog.pg_tables
            WHERE tablename = 'serials' AND schemaname ~ '^shard_[0-9]+$' ORDER BY schemaname
            """)
        .query(String.class)
        .list();
  }
}
