package io.solidus.platform.audit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Seals of the rows of an event table. The seal at a position is SHA-256 of the seal before it (32
 * zero bytes before the first) and the row's JSON in UTF-8, so it holds for every row before it
 * too. Rows get their seals within moments of their commit, in one order, whoever writes them.
 *
 * <p>The table has a {@code sequence bigint}; {@code event_seal} is beside it.
 */
final class EventSeals {
  private static final int BATCH = 500;
  private static final int HASH_BYTES = 32;

  /** Any number; all instances of a service share its lock. */
  private static final long LOCK = 0x5EA1;

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final String table;

  /**
   * @param table the name of the event table, lower case
   */
  EventSeals(JdbcClient jdbc, TransactionTemplate transaction, String table) {
    if (!Pattern.matches("[a-z_]{1,63}", table)) {
      throw new IllegalArgumentException("solidus.audit.table is no name of a table");
    }
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.table = table;
  }

  /**
   * A sealed row.
   *
   * @param position from 1, without gaps
   * @param hash the seal, hexadecimal
   * @param event the row as it is now, JSON; null when it is gone
   */
  record SealedEvent(long position, String hash, @Nullable String event) {}

  private record Row(long sequence, String json) {}

  private record Head(long position, byte[] hash) {}

  /** Seals every row that has no seal, in batches so that no transaction is long. */
  void seal() {
    while (Objects.requireNonNull(transaction.execute(status -> sealBatch())) == BATCH) {
      // the next batch
    }
  }

  private int sealBatch() {
    jdbc.sql("SELECT pg_advisory_xact_lock(?)").param(LOCK).query((row, n) -> true).single();
    useOneTimeZone();
    Head head =
        jdbc.sql("SELECT position, hash FROM event_seal ORDER BY position DESC LIMIT 1")
            .query((row, n) -> new Head(row.getLong(1), row.getBytes(2)))
            .optional()
            .orElse(new Head(0, new byte[HASH_BYTES]));
    List<Row> rows =
        jdbc.sql(
                "SELECT e.sequence, row_to_json(e)::text FROM "
                    + table
                    + " e WHERE NOT EXISTS (SELECT 1 FROM event_seal s WHERE s.sequence = e.sequence) ORDER BY e.sequence LIMIT ?")
            .param(BATCH)
            .query((row, n) -> new Row(row.getLong(1), row.getString(2)))
            .list();
    long position = head.position();
    byte[] hash = head.hash();
    for (Row row : rows) {
      position++;
      hash = next(hash, row.json());
      jdbc.sql("INSERT INTO event_seal (position, sequence, hash) VALUES (?, ?, ?)")
          .params(position, row.sequence(), hash)
          .update();
    }
    return rows.size();
  }

  /** The sealed rows after a position, at most {@code limit}, as the table has them now. */
  List<SealedEvent> page(long after, int limit) {
    return Objects.requireNonNull(
        transaction.execute(status -> {
          useOneTimeZone();
          return jdbc.sql(
                  "SELECT s.position, s.hash, row_to_json(e)::text FROM event_seal s LEFT JOIN "
                      + table
                      + " e ON e.sequence = s.sequence WHERE s.position > ? ORDER BY s.position LIMIT ?")
              .params(after, limit)
              .query((row, n) ->
                  new SealedEvent(
                      row.getLong(1), HexFormat.of().formatHex(row.getBytes(2)), row.getString(3)))
              .list();
        }));
  }

  /** The JSON of a time depends on the session's zone. */
  private void useOneTimeZone() {
    jdbc.sql("SET LOCAL TIME ZONE 'UTC'").update();
  }

  private static byte[] next(byte[] before, String json) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(before);
      return digest.digest(json.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
