package io.solidus.operator.issuance.statement;

import io.solidus.operator.issuance.message.BankReport;
import io.solidus.operator.issuance.message.BankReport.Line;
import io.solidus.operator.issuance.message.MessageType;
import io.solidus.operator.issuance.statement.Uploads.Upload;
import io.solidus.protocol.Digest32;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The tables of the bank's messages, their lines and the differences. */
@Repository
class StatementStore {
  private static final String STATEMENTS =
      "SELECT sequence, message_id, report_id, day, opening_minor, closing_minor, books_minor, unexplained_minor, pending, skipped,"
          + " imported_by, imported_at FROM bank_message";
  private static final String LINE =
      "SELECT line_id, coalesce(l.entry, reference), reference, credit, amount_minor, booked_on, end_to_end_id, name, subject, sealed,"
          + " statement IS NOT NULL";
  private static final String LINES = LINE + " FROM bank_line l";
  private static final String LINES_BY_KEY = LINE + ", k.key FROM bank_line l";
  private static final String DIFFERENCES =
      "SELECT difference_id, name, line_id, subject, amount_minor, noticed_at, closed_by, closed_at, note FROM bank_difference";

  private final JdbcClient jdbc;

  StatementStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * A statement of a day.
   *
   * @param booksMinor the balance of the account settlement when the statement was booked
   * @param unexplainedMinor what of the difference no name explains; 0 when the books are right
   */
  record Statement(
      long sequence,
      String messageId,
      String reportId,
      LocalDate day,
      long openingMinor,
      long closingMinor,
      long booksMinor,
      long unexplainedMinor,
      int pending,
      int skipped,
      String importedBy,
      Instant importedAt) {}

  /** A stored line; {@code sealed} is its counterparty. */
  record StoredLine(
      long lineId,
      String entry,
      String reference,
      boolean credit,
      long amountMinor,
      LocalDate bookedOn,
      @Nullable String endToEndId,
      String name,
      @Nullable String subject,
      byte[] sealed,
      boolean stated) {}

  /** A difference; open while {@code closedBy} is null. */
  record Difference(
      long differenceId,
      String name,
      @Nullable Long lineId,
      String subject,
      long amountMinor,
      Instant noticedAt,
      @Nullable String closedBy,
      @Nullable Instant closedAt,
      @Nullable String note) {}

  Optional<Digest32> digest(String type, String messageId) {
    return jdbc.sql(
            "SELECT digest FROM bank_message WHERE type = ? AND message_id = ? AND NOT reversed")
        .params(type, messageId)
        .query((row, n) -> new Digest32(row.getBytes(1)))
        .optional();
  }

  boolean hasStatement(LocalDate day) {
    return jdbc.sql(
            "SELECT EXISTS (SELECT 1 FROM bank_message WHERE type = 'camt.053.001.08' AND day = ? AND NOT reversed)")
        .param(day)
        .query(Boolean.class)
        .single();
  }

  long insert(BankReport report, Upload upload, Instant at) {
    return insert(
        report.type(),
        report.messageId(),
        report.reportId(),
        report.day(),
        report.openingMinor(),
        report.closingMinor(),
        report.pending(),
        report.skipped(),
        upload,
        at);
  }

  long insert(
      MessageType type,
      String messageId,
      String reportId,
      @Nullable LocalDate day,
      @Nullable Long openingMinor,
      @Nullable Long closingMinor,
      int pending,
      int skipped,
      Upload upload,
      Instant at) {
    return jdbc.sql(
            "INSERT INTO bank_message (type, message_id, report_id, digest, day, opening_minor, closing_minor, pending, skipped,"
                + " imported_by, imported_at, upload) VALUES (:type, :id, :report, :digest, :day, :opening, :closing, :pending, :skipped,"
                + " :by, :at, :upload) RETURNING sequence")
        .param("type", type.id())
        .param("id", messageId)
        .param("report", reportId)
        .param("digest", upload.digest().bytes())
        .param("upload", upload.uploadId())
        .param("day", day, Types.DATE)
        .param("opening", openingMinor, Types.BIGINT)
        .param("closing", closingMinor, Types.BIGINT)
        .param("pending", pending)
        .param("skipped", skipped)
        .param("by", upload.proposedBy())
        .param("at", utc(at))
        .query(Long.class)
        .single();
  }

  void close(long sequence, long booksMinor, long unexplainedMinor) {
    jdbc.sql("UPDATE bank_message SET books_minor = ?, unexplained_minor = ? WHERE sequence = ?")
        .params(booksMinor, unexplainedMinor, sequence)
        .update();
  }

  /** The lines of the entries that are known by these references, by reference. */
  Map<String, List<StoredLine>> linesOf(Collection<String> references) {
    Map<String, List<StoredLine>> found = new HashMap<>();
    jdbc.sql(
            LINES_BY_KEY
                + " JOIN bank_entry_key k ON k.entry = coalesce(l.entry, reference)"
                + " WHERE k.key = ANY(?) AND NOT voided ORDER BY line_id")
        .param(references.toArray(String[]::new))
        .query(
            (RowCallbackHandler)
                row ->
                    found
                        .computeIfAbsent(row.getString(12), key -> new ArrayList<>())
                        .add(line(row, 0)));
    return found;
  }

  /**
   * Keeps further references by which entries are known.
   *
   * @param message that told them
   * @param references the entries, by reference
   */
  void know(long message, Map<String, String> references) {
    jdbc.sql(
            "INSERT INTO bank_entry_key (key, entry, message) SELECT k, e, ? FROM unnest(?, ?) n (k, e)")
        .params(
            message,
            references.keySet().toArray(String[]::new),
            references.values().toArray(String[]::new))
        .update();
  }

  /** Whether a notification had a movement that no statement has. */
  boolean isNotified(boolean credit, long amountMinor) {
    return jdbc.sql(
            "SELECT EXISTS (SELECT 1 FROM bank_line WHERE statement IS NULL AND NOT voided AND credit = ? AND amount_minor = ?)")
        .params(credit, amountMinor)
        .query(Boolean.class)
        .single();
  }

  /**
   * A line to store.
   *
   * @param sealed the other side
   */
  record NewLine(Line line, LineName name, @Nullable String subject, byte[] sealed) {}

  /** Stores lines; returns their numbers by their references. */
  Map<String, Long> insert(long message, boolean statement, List<NewLine> lines) {
    Map<String, Long> numbers = new HashMap<>();
    jdbc.sql(
            "INSERT INTO bank_line (message, statement, entry, reference, credit, amount_minor, booked_on, end_to_end_id, sealed, name,"
                + " subject) SELECT ?, CASE WHEN ?::boolean THEN ?::bigint END, entry, reference, credit, amount, day::date, id, sealed, name, subject"
                + " FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?)"
                + " WITH ORDINALITY l (entry, reference, credit, amount, day, id, sealed, name, subject, place) ORDER BY place"
                + " RETURNING reference, line_id")
        .params(
            message,
            statement,
            message,
            texts(lines, l -> l.line().entry()),
            texts(lines, l -> l.line().reference()),
            lines.stream().map(l -> l.line().credit()).toArray(Boolean[]::new),
            lines.stream().map(l -> l.line().amountMinor()).toArray(Long[]::new),
            texts(lines, l -> l.line().bookedOn().toString()),
            texts(lines, l -> l.line().endToEndId()),
            lines.stream().map(NewLine::sealed).toArray(byte[][]::new),
            texts(lines, l -> l.name().id()),
            texts(lines, NewLine::subject))
        .query((RowCallbackHandler) row -> numbers.put(row.getString(1), row.getLong(2)));
    return numbers;
  }

  private static <T> @Nullable String[] texts(List<T> of, Function<T, @Nullable String> text) {
    return of.stream().map(text).toArray(String[]::new);
  }

  void putOnStatement(Collection<Long> lineIds, long statement) {
    jdbc.sql("UPDATE bank_line SET statement = ? WHERE line_id = ANY(?)")
        .params(statement, lineIds.toArray(Long[]::new))
        .update();
  }

  /** What does not agree. */
  record Noticed(String name, @Nullable Long lineId, String subject, long amountMinor) {}

  /** Notes differences; an open one of the same name and subject stays as it is. */
  void notice(long message, List<Noticed> noticed, Instant at) {
    jdbc.sql(
            "INSERT INTO bank_difference (message, name, line_id, subject, amount_minor, noticed_at)"
                + " SELECT ?, name, line, subject, amount, ? FROM unnest(?, ?, ?, ?)"
                + " WITH ORDINALITY d (name, line, subject, amount, place) ORDER BY place ON CONFLICT DO NOTHING")
        .params(
            message,
            utc(at),
            texts(noticed, Noticed::name),
            noticed.stream().map(Noticed::lineId).toArray(Long[]::new),
            texts(noticed, Noticed::subject),
            noticed.stream().map(Noticed::amountMinor).toArray(Long[]::new))
        .update();
  }

  boolean close(long differenceId, String by, String note, Instant at) {
    return jdbc.sql(
                "UPDATE bank_difference SET closed_by = ?, note = ?, closed_at = ? WHERE difference_id = ? AND closed_by IS NULL")
            .params(by, note, utc(at), differenceId)
            .update()
        == 1;
  }

  /** The newest statement before a day. */
  Optional<Statement> before(LocalDate day) {
    return jdbc.sql(
            STATEMENTS
                + " WHERE type = 'camt.053.001.08' AND day < ? AND NOT reversed ORDER BY day DESC LIMIT 1")
        .param(day)
        .query(StatementStore::statement)
        .optional();
  }

  /** The closing balance of the statement of the newest day. */
  long newestClosing() {
    return jdbc.sql(
            "SELECT closing_minor FROM bank_message WHERE type = 'camt.053.001.08' AND NOT reversed ORDER BY day DESC LIMIT 1")
        .query(Long.class)
        .single();
  }

  Optional<Statement> statement(LocalDate day) {
    return jdbc.sql(STATEMENTS + " WHERE type = 'camt.053.001.08' AND day = ? AND NOT reversed")
        .param(day)
        .query(StatementStore::statement)
        .optional();
  }

  /** Statements after {@code cursor}, in the order of their import. */
  List<Statement> statements(long cursor, int limit) {
    return jdbc.sql(
            STATEMENTS
                + " WHERE type = 'camt.053.001.08' AND NOT reversed AND sequence > ? ORDER BY sequence LIMIT ?")
        .params(cursor, limit)
        .query(StatementStore::statement)
        .list();
  }

  List<StoredLine> lines(long statement, long cursor, int limit) {
    return jdbc.sql(LINES + " WHERE statement = ? AND line_id > ? ORDER BY line_id LIMIT ?")
        .params(statement, cursor, limit)
        .query(StatementStore::line)
        .list();
  }

  /** A line and what of its money is in suspense (a credit) or claimed (a debit). */
  record OpenLine(StoredLine line, long openMinor) {}

  /** Lines after {@code cursor} whose money is in suspense or claimed. */
  List<OpenLine> openLines(long cursor, int limit) {
    return jdbc.sql(
            """
            SELECT * FROM (
              SELECT line_id, coalesce(entry, reference), reference, credit, amount_minor, booked_on, end_to_end_id, name, subject, sealed,
                     statement IS NOT NULL, CASE WHEN credit THEN in_suspense(line_id) ELSE claim_of_line(line_id) END AS open
                FROM bank_line l
               WHERE line_id > ? AND NOT voided AND name NOT IN ('settled', 'returned')
                 AND (name <> 'funding' OR EXISTS (SELECT 1 FROM funding_line f WHERE f.line_id = l.line_id AND NOT active AND NOT f.voided))) lines
             WHERE open > 0 ORDER BY line_id LIMIT ?
            """)
        .params(cursor, limit)
        .query((row, n) -> new OpenLine(line(row, n), row.getBigDecimal(12).longValueExact()))
        .list();
  }

  Optional<Difference> difference(long differenceId) {
    return jdbc.sql(DIFFERENCES + " WHERE difference_id = ?")
        .param(differenceId)
        .query(StatementStore::difference)
        .optional();
  }

  /**
   * Differences after {@code cursor}.
   *
   * @param open null for all
   */
  List<Difference> differences(@Nullable Boolean open, long cursor, int limit) {
    return jdbc.sql(
            DIFFERENCES
                + " WHERE difference_id > :cursor AND (:open::boolean IS NULL OR (closed_by IS NULL) = :open)"
                + " ORDER BY difference_id LIMIT :limit")
        .param("cursor", cursor)
        .param("open", open, Types.BOOLEAN)
        .param("limit", limit)
        .query(StatementStore::difference)
        .list();
  }

  long openDifferences() {
    return jdbc.sql("SELECT count(*) FROM bank_difference WHERE closed_by IS NULL")
        .query(Long.class)
        .single();
  }

  /** Something that a statement should have had by now. */
  record Missing(String subject, long amountMinor) {}

  /** Payouts sent before an instant and not settled. */
  List<Missing> unsettled(Instant before) {
    return jdbc.sql(
            "SELECT end_to_end_id, amount_minor FROM payout JOIN redemption USING (lead_serial)"
                + " WHERE state = 'sent' AND changed_at < ? ORDER BY sequence LIMIT 1000")
        .param(utc(before))
        .query((row, n) -> new Missing(row.getString(1), row.getLong(2)))
        .list();
  }

  /** Fundings recorded by hand before an instant whose money is on no line. */
  List<Missing> unfunded(Instant before) {
    return jdbc.sql(
            "SELECT funding_id, amount_minor FROM funding WHERE NOT reversed AND recorded_at < ?"
                + " AND NOT EXISTS (SELECT 1 FROM funding_line l WHERE l.funding_id = funding.funding_id AND NOT l.voided)"
                + " ORDER BY sequence LIMIT 1000")
        .param(utc(before))
        .query((row, n) -> new Missing(row.getString(1), row.getLong(2)))
        .list();
  }

  /** Lines notified before a day that no statement has. */
  List<Missing> unstated(LocalDate before) {
    return jdbc.sql(
            "SELECT reference, CASE WHEN credit THEN amount_minor ELSE -amount_minor END FROM bank_line"
                + " WHERE statement IS NULL AND NOT voided AND booked_on < ? ORDER BY line_id LIMIT 1000")
        .param(before)
        .query((row, n) -> new Missing(row.getString(1), row.getLong(2)))
        .list();
  }

  /**
   * What the books have and the statements do not have yet: fundings recorded by hand without a
   * line, what was reversed without one and issued, and notified lines.
   */
  long expectedLead() {
    return jdbc.sql(
            """
            SELECT (SELECT coalesce(sum(amount_minor), 0) FROM funding f WHERE NOT reversed
                       AND NOT EXISTS (SELECT 1 FROM funding_line l WHERE l.funding_id = f.funding_id AND NOT l.voided))
                 + (SELECT coalesce(sum(CASE WHEN credit THEN amount_minor ELSE -amount_minor END), 0)
                      FROM bank_line WHERE statement IS NULL AND NOT voided)
            """)
        .query(BigDecimal.class)
        .single()
        .longValueExact();
  }

  private static Statement statement(ResultSet row, int number) throws SQLException {
    return new Statement(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        row.getObject(4, LocalDate.class),
        row.getLong(5),
        row.getLong(6),
        row.getLong(7),
        row.getLong(8),
        row.getInt(9),
        row.getInt(10),
        row.getString(11),
        row.getObject(12, OffsetDateTime.class).toInstant());
  }

  private static StoredLine line(ResultSet row, int number) throws SQLException {
    return new StoredLine(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        row.getBoolean(4),
        row.getLong(5),
        row.getObject(6, LocalDate.class),
        row.getString(7),
        row.getString(8),
        row.getString(9),
        row.getBytes(10),
        row.getBoolean(11));
  }

  private static Difference difference(ResultSet row, int number) throws SQLException {
    OffsetDateTime closed = row.getObject(8, OffsetDateTime.class);
    return new Difference(
        row.getLong(1),
        row.getString(2),
        row.getObject(3, Long.class),
        row.getString(4),
        row.getLong(5),
        row.getObject(6, OffsetDateTime.class).toInstant(),
        row.getString(7),
        closed == null ? null : closed.toInstant(),
        row.getString(9));
  }

  private static OffsetDateTime utc(Instant at) {
    return OffsetDateTime.ofInstant(at, ZoneOffset.UTC);
  }
}
