package io.solidus.platform.audit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Seals of the rows of an event table. The seal at a position is SHA-256 of the seal before it (32
 * zero bytes before the first) and the row's sealed text in UTF-8, so it holds for every row before
 * it too. Rows get their seals within moments of their commit, in one order, whoever writes them.
 *
 * <p>A seal has a version, which says what the sealed text is. Version 1: PostgreSQL's JSON of the
 * columns that the table had then. Version 2: {@link AuditEvent#sealed}.
 */
final class EventSeals {
  static final int VERSION = 2;
  private static final int BATCH = 500;
  private static final int HASH_BYTES = 32;

  /** Any number; all instances of a service share its lock. */
  private static final long LOCK = 0x5EA1;

  /**
   * How far below the newest sealed row unsealed ones are looked for: a transaction may commit
   * after ones with later numbers. What is older waits for the next look at the whole table.
   */
  private static final int WINDOW = 2_000;

  private static final Duration FULL_LOOK = Duration.ofHours(1);

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;
  private final AuditProperties log;
  private final Clock clock;

  private Instant fullLook = Instant.MAX;

  EventSeals(JdbcClient jdbc, TransactionTemplate transaction, AuditProperties log, Clock clock) {
    this.jdbc = jdbc;
    this.transaction = transaction;
    this.log = log;
    this.clock = clock;
  }

  /**
   * A sealed row.
   *
   * @param position from 1, without gaps
   * @param hash the seal, hexadecimal
   * @param event the row's sealed text as it is now, JSON; null when the row is gone
   */
  record SealedEvent(long position, String hash, @Nullable String event) {}

  /** The newest seal; position 0 and zeros before the first. */
  record Head(long position, byte[] hash) {}

  /** Seals every row that has no seal, in batches so that no transaction is long. */
  synchronized void seal() {
    Instant now = clock.instant();
    boolean whole = now.isBefore(fullLook) || !now.isBefore(fullLook.plus(FULL_LOOK));
    if (whole) {
      fullLook = now;
    }
    while (Objects.requireNonNull(transaction.execute(status -> sealBatch(whole))) == BATCH) {
      // the next batch
    }
  }

  /** Seals every row that has no seal, wherever it is. */
  synchronized void sealAll() {
    fullLook = Instant.MAX;
    seal();
  }

  private int sealBatch(boolean whole) {
    lock();
    Head head = head();
    long floor = whole ? 0 : sequenceAt(head.position() - WINDOW);
    List<AuditEvent> rows =
        jdbc.sql(
                "SELECT NULL::bigint, "
                    + columns()
                    + " FROM "
                    + log.table()
                    + " e WHERE e.sequence > ? AND NOT EXISTS"
                    + " (SELECT FROM event_seal s WHERE s.sequence = e.sequence)"
                    + " ORDER BY e.sequence LIMIT ?")
            .params(floor, BATCH)
            .query(this::event)
            .list();
    long position = head.position();
    byte[] hash = head.hash();
    for (AuditEvent row : rows) {
      position++;
      hash = next(hash, row.sealed());
      jdbc.sql("INSERT INTO event_seal (position, sequence, hash, version) VALUES (?, ?, ?, ?)")
          .params(position, row.sequence(), hash, VERSION)
          .update();
    }
    return rows.size();
  }

  private long sequenceAt(long position) {
    return jdbc.sql("SELECT sequence FROM event_seal WHERE position = ?")
        .param(position)
        .query(Long.class)
        .optional()
        .orElse(0L);
  }

  /** Keeps other instances from sealing until the transaction ends. */
  void lock() {
    jdbc.sql("SELECT pg_advisory_xact_lock(?)").param(LOCK).query((row, n) -> true).single();
  }

  Head head() {
    return jdbc.sql("SELECT position, hash FROM event_seal ORDER BY position DESC LIMIT 1")
        .query((row, n) -> new Head(row.getLong(1), row.getBytes(2)))
        .optional()
        .orElse(new Head(0, new byte[HASH_BYTES]));
  }

  /** Whether the seal at a position is this one. */
  boolean has(long position, byte[] hash) {
    if (position == 0) {
      return Arrays.equals(hash, new byte[HASH_BYTES]);
    }
    return jdbc.sql("SELECT hash FROM event_seal WHERE position = ?")
        .param(position)
        .query((row, n) -> row.getBytes(1))
        .optional()
        .filter(found -> Arrays.equals(found, hash))
        .isPresent();
  }

  /** The first position whose row was changed or removed, or whose seal is another; 0 for none. */
  long firstTouched() {
    long after = 0;
    byte[] hash = new byte[HASH_BYTES];
    while (true) {
      List<SealedEvent> page = page(after, BATCH);
      for (SealedEvent sealed : page) {
        after++;
        String event = sealed.event();
        if (sealed.position() != after || event == null) {
          return after;
        }
        hash = next(hash, event);
        if (!HexFormat.of().formatHex(hash).equals(sealed.hash())) {
          return after;
        }
      }
      if (page.size() < BATCH) {
        return 0;
      }
    }
  }

  /** The sealed rows after a position, at most {@code limit}, as the table has them now. */
  List<SealedEvent> page(long after, int limit) {
    return Objects.requireNonNull(
        transaction.execute(status -> {
          // the JSON of a time depends on the session's zone
          jdbc.sql("SET LOCAL TIME ZONE 'UTC'").update();
          return jdbc.sql(
                  "SELECT s.position, "
                      + columns()
                      + ", s.hash, s.version, "
                      + former()
                      + " FROM event_seal s LEFT JOIN "
                      + log.table()
                      + " e ON e.sequence = s.sequence WHERE s.position > ?"
                      + " ORDER BY s.position LIMIT ?")
              .params(after, limit)
              .query((row, n) ->
                  new SealedEvent(
                      row.getLong(1),
                      HexFormat.of().formatHex(row.getBytes(7)),
                      row.getObject(2) == null
                          ? null
                          : row.getInt(8) == VERSION ? event(row, n).sealed() : row.getString(9)))
              .list();
        }));
  }

  /** The columns of an event behind its position, for {@link #event}. */
  String columns() {
    return "e.sequence, e.at, e.actor, e.action, e." + log.objectColumn() + "::text";
  }

  /** The JSON of the columns that the table had when seals had no version. */
  private String former() {
    return log.formerColumns().isEmpty()
        ? "NULL"
        : "(SELECT row_to_json(f)::text FROM (SELECT "
            + log.formerColumns().stream()
                .map(name -> "e." + name)
                .collect(Collectors.joining(", "))
            + ") f)";
  }

  AuditEvent event(ResultSet row, int number) throws SQLException {
    long position = row.getLong(1);
    return new AuditEvent(
        row.wasNull() ? null : position,
        row.getLong(2),
        row.getObject(3, OffsetDateTime.class).toInstant(),
        log.service(),
        row.getString(4),
        row.getString(5),
        row.getString(6));
  }

  private static byte[] next(byte[] before, String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(before);
      return digest.digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
