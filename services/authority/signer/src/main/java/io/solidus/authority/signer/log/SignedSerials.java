package io.solidus.authority.signer.log;

import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TxCore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The signer's own table: each serial number that it ever signed, with the one core whose row the
 * signature rests on. For a recover that is the recover or a core below it, for every other core
 * itself. So two cores that the signer signed for one serial number have its row in common, which
 * is one of them or below both. What shards hold does not matter to the table, so a shard that is
 * wrong, hostile or restored cannot make the signer sign a second core.
 *
 * <p>The table holds the first records of the sign-log, up to its position. The authority's anchor
 * has the same number. A table that was dropped or restored by itself is at another position.
 */
final class SignedSerials {

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  SignedSerials(AuthorityDatabase database) {
    this.jdbc = database.jdbc();
    this.transaction = database.transaction();
  }

  /**
   * Adds the serial numbers of records, in the caller's transaction.
   *
   * @return the cores with a serial number that the table holds for another core than the record's
   *     holder; empty when all are added
   */
  Set<TxCore> add(List<SignRecord> records) {
    Rows rows = new Rows(records);
    if (rows.count() == 0) {
      return Set.of();
    }
    int added =
        rows.bind(
                """
                INSERT INTO signer.signed (serial, core)
                SELECT * FROM unnest(:serials::bytea[], :holders::bytea[]) ON CONFLICT DO NOTHING
                """)
            .update();
    if (added == rows.count()) {
      return Set.of();
    }
    return new HashSet<>(
        rows.bind(
                """
                SELECT DISTINCT record.core
                FROM unnest(:serials::bytea[], :holders::bytea[], :cores::bytea[]) AS record(serial, holder, core)
                WHERE NOT EXISTS (
                    SELECT 1 FROM signer.signed s WHERE s.serial = record.serial AND s.core = record.holder OFFSET 0)
                """)
            .param("cores", rows.cores())
            .query((rs, row) -> TxCore.of(rs.getBytes(1)))
            .list());
  }

  /**
   * Requires that the table holds the serial numbers of signed records for their holders.
   *
   * @throws LogDamagedException when it lacks one, or holds one for another core
   */
  void requireAll(List<SignRecord> records) {
    Rows rows = new Rows(records);
    if (rows.count() == 0) {
      return;
    }
    Difference difference =
        rows.bind(
                """
                SELECT count(*) FILTER (WHERE held IS NULL), count(*) FILTER (WHERE held <> holder) FROM (
                    SELECT record.holder, (SELECT s.core FROM signer.signed s WHERE s.serial = record.serial) AS held
                    FROM unnest(:serials::bytea[], :holders::bytea[]) AS record(serial, holder)) AS compared
                """)
            .query((rs, row) -> new Difference(rs.getLong(1), rs.getLong(2)))
            .single();
    if (difference.otherwise() > 0) {
      throw signedTwice();
    }
    if (difference.missing() > 0) {
      throw new LogDamagedException(
          "the signer's own table lacks "
              + difference.missing()
              + " serial numbers that it signed: its schema was dropped, emptied or restored");
    }
  }

  /** The number of records of the sign-log whose serial numbers are in the table. */
  long position() {
    return jdbc.sql("SELECT sequence FROM signer.signed_position").query(Long.class).single();
  }

  /**
   * Requires that the table is where the authority's anchor says.
   *
   * @throws LogDamagedException when the schema of either was dropped or restored by itself
   */
  void requireAnchored() {
    long position = position();
    long anchored =
        jdbc.sql("SELECT signed_sequence FROM authority.sign_log_anchor")
            .query(Long.class)
            .optional()
            .orElse(0L);
    if (position != anchored) {
      throw new LogDamagedException(
          "the signer's own table is at record "
              + position
              + " and the authority's anchor says "
              + anchored
              + ": the schema of one was dropped or restored");
    }
  }

  /**
   * Adds verified records of the sign-log that the table does not hold yet, durably, and moves its
   * position. It writes even when it adds nothing, so its commit puts on the standby what an
   * earlier, interrupted one left on this server alone.
   *
   * @param to the number of records of the log up to and with these
   * @param others writes what belongs to the same records elsewhere, in the same transaction
   * @throws LogDamagedException when the table holds a serial number for another core
   */
  void restore(List<SignRecord> records, long to, Runnable others) {
    transaction.executeWithoutResult(t -> {
      if (!add(records).isEmpty()) {
        throw signedTwice();
      }
      others.run();
      jdbc.sql("UPDATE signer.signed_position SET sequence = greatest(sequence, :to)")
          .param("to", to)
          .update();
      jdbc.sql(
              "UPDATE authority.sign_log_anchor SET signed_sequence = greatest(signed_sequence, :to)")
          .param("to", to)
          .update();
    });
  }

  static LogDamagedException signedTwice() {
    return new LogDamagedException(
        "the sign-log and the signer's own table hold a serial number for two cores: this authority has signed a"
            + " double spend, or its table was changed");
  }

  private record Difference(long missing, long otherwise) {}

  /** A row of the table, and the signed core that it belongs to. */
  private record Row(SerialNumber serial, TxCore holder, TxCore core) {}

  /** The rows of records, ascending: neighbours in the index share its pages. */
  private final class Rows {
    private final List<Row> rows = new ArrayList<>();

    Rows(List<SignRecord> records) {
      for (SignRecord record : records) {
        for (int i = 0; i < record.serials().size(); i++) {
          rows.add(new Row(record.serials().get(i), record.holders().get(i), record.core()));
        }
      }
      rows.sort(Comparator.comparing(Row::serial));
    }

    byte[][] cores() {
      return bytes(row -> row.core().bytes());
    }

    int count() {
      return rows.size();
    }

    JdbcClient.StatementSpec bind(String sql) {
      return jdbc.sql(sql)
          .param("serials", bytes(row -> row.serial().bytes()))
          .param("holders", bytes(row -> row.holder().bytes()));
    }

    private byte[][] bytes(Function<Row, byte[]> column) {
      return rows.stream().map(column).toArray(byte[][]::new);
    }
  }
}
