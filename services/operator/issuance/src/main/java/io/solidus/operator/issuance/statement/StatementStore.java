package io.solidus.operator.issuance.statement;

import io.solidus.operator.issuance.message.BankReport;
import io.solidus.operator.issuance.message.BankReport.Line;
import io.solidus.protocol.Digest32;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The tables of the bank's messages, their lines and the differences. */
@Repository
class StatementStore {
  private static final String STATEMENTS =
      "SELECT sequence, message_id, report_id, day, opening_minor, closing_minor, books_minor, unexplained_minor, pending,"
          + " imported_by, imported_at FROM bank_message";
  private static final String LINES =
      "SELECT line_id, reference, credit, amount_minor, booked_on, end_to_end_id, name, subject, sealed, statement IS NOT NULL"
          + " FROM bank_line";
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
      String importedBy,
      Instant importedAt) {}

  /** A stored line; {@code sealed} is its counterparty. */
  record StoredLine(
      long lineId,
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
    return jdbc.sql("SELECT digest FROM bank_message WHERE type = ? AND message_id = ?")
        .params(type, messageId)
        .query((row, n) -> new Digest32(row.getBytes(1)))
        .optional();
  }

  boolean hasStatement(LocalDate day) {
    return jdbc.sql(
            "SELECT EXISTS (SELECT 1 FROM bank_message WHERE type = 'camt.053.001.08' AND day = ?)")
        .param(day)
        .query(Boolean.class)
        .single();
  }

  long insert(BankReport report, Digest32 digest, String operator, Instant at) {
    return insert(
        report.type().id(),
        report.messageId(),
        report.reportId(),
        digest,
        report.day(),
        report.openingMinor(),
        report.closingMinor(),
        report.pending(),
        operator,
        at);
  }

  long insert(
      String type,
      String messageId,
      String reportId,
      Digest32 digest,
      @Nullable LocalDate day,
      @Nullable Long openingMinor,
      @Nullable Long closingMinor,
      int pending,
      String operator,
      Instant at) {
    return jdbc.sql(
            "INSERT INTO bank_message (type, message_id, report_id, digest, day, opening_minor, closing_minor, pending, imported_by,"
                + " imported_at) VALUES (:type, :id, :report, :digest, :day, :opening, :closing, :pending, :by, :at) RETURNING sequence")
        .param("type", type)
        .param("id", messageId)
        .param("report", reportId)
        .param("digest", digest.bytes())
        .param("day", day, Types.DATE)
        .param("opening", openingMinor, Types.BIGINT)
        .param("closing", closingMinor, Types.BIGINT)
        .param("pending", pending)
        .param("by", operator)
        .param("at", utc(at))
        .query(Long.class)
        .single();
  }

  void close(long sequence, long booksMinor, long unexplainedMinor) {
    jdbc.sql("UPDATE bank_message SET books_minor = ?, unexplained_minor = ? WHERE sequence = ?")
        .params(booksMinor, unexplainedMinor, sequence)
        .update();
  }

  Optional<StoredLine> line(String reference) {
    return jdbc.sql(LINES + " WHERE reference = ?")
        .param(reference)
        .query(StatementStore::line)
        .optional();
  }

  Optional<StoredLine> line(long lineId) {
    return jdbc.sql(LINES + " WHERE line_id = ?")
        .param(lineId)
        .query(StatementStore::line)
        .optional();
  }

  long insert(
      long message,
      boolean statement,
      Line line,
      LineName name,
      @Nullable String subject,
      byte[] sealed) {
    return jdbc.sql(
            "INSERT INTO bank_line (message, statement, reference, credit, amount_minor, booked_on, end_to_end_id, sealed, name, subject)"
                + " VALUES (:message, :statement, :reference, :credit, :amount, :day, :id, :sealed, :name, :subject) RETURNING line_id")
        .param("message", message)
        .param("statement", statement ? Long.valueOf(message) : null, Types.BIGINT)
        .param("reference", line.reference())
        .param("credit", line.credit())
        .param("amount", line.amountMinor())
        .param("day", line.bookedOn())
        .param("id", line.endToEndId(), Types.VARCHAR)
        .param("sealed", sealed)
        .param("name", name.id())
        .param("subject", subject, Types.VARCHAR)
        .query(Long.class)
        .single();
  }

  void putOnStatement(long lineId, long statement) {
    jdbc.sql("UPDATE bank_line SET statement = ? WHERE line_id = ?")
        .params(statement, lineId)
        .update();
  }

  /** Notes a difference; an open one of the same name and subject stays as it is. */
  void notice(
      long message,
      String name,
      @Nullable Long lineId,
      String subject,
      long amountMinor,
      Instant at) {
    jdbc.sql(
            "INSERT INTO bank_difference (message, name, line_id, subject, amount_minor, noticed_at)"
                + " VALUES (:message, :name, :line, :subject, :amount, :at) ON CONFLICT DO NOTHING")
        .param("message", message)
        .param("name", name)
        .param("line", lineId, Types.BIGINT)
        .param("subject", subject)
        .param("amount", amountMinor)
        .param("at", utc(at))
        .update();
  }

  /** Closes open differences that are gone. */
  void close(String name, String subject, String by, String note, Instant at) {
    jdbc.sql(
            "UPDATE bank_difference SET closed_by = ?, note = ?, closed_at = ? WHERE name = ? AND subject = ? AND closed_by IS NULL")
        .params(by, note, utc(at), name, subject)
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
            STATEMENTS + " WHERE type = 'camt.053.001.08' AND day < ? ORDER BY day DESC LIMIT 1")
        .param(day)
        .query(StatementStore::statement)
        .optional();
  }

  /** The closing balance of the statement of the newest day. */
  long newestClosing() {
    return jdbc.sql(
            "SELECT closing_minor FROM bank_message WHERE type = 'camt.053.001.08' ORDER BY day DESC LIMIT 1")
        .query(Long.class)
        .single();
  }

  Optional<Statement> statement(LocalDate day) {
    return jdbc.sql(STATEMENTS + " WHERE type = 'camt.053.001.08' AND day = ?")
        .param(day)
        .query(StatementStore::statement)
        .optional();
  }

  /** Statements after {@code cursor}, in the order of their import. */
  List<Statement> statements(long cursor, int limit) {
    return jdbc.sql(
            STATEMENTS
                + " WHERE type = 'camt.053.001.08' AND sequence > ? ORDER BY sequence LIMIT ?")
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
              SELECT line_id, reference, credit, amount_minor, booked_on, end_to_end_id, name, subject, sealed,
                     statement IS NOT NULL, CASE WHEN credit THEN in_suspense(line_id) ELSE claim_of_line(line_id) END AS open
                FROM bank_line l
               WHERE line_id > ? AND name NOT IN ('settled', 'returned')
                 AND (name <> 'funding' OR EXISTS (SELECT 1 FROM funding_line f WHERE f.line_id = l.line_id AND NOT active))) lines
             WHERE open > 0 ORDER BY line_id LIMIT ?
            """)
        .params(cursor, limit)
        .query((row, n) -> new OpenLine(line(row, n), row.getBigDecimal(11).longValueExact()))
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
                + " AND NOT EXISTS (SELECT 1 FROM funding_line l WHERE l.funding_id = funding.funding_id)"
                + " ORDER BY sequence LIMIT 1000")
        .param(utc(before))
        .query((row, n) -> new Missing(row.getString(1), row.getLong(2)))
        .list();
  }

  /** Lines notified before a day that no statement has. */
  List<Missing> unstated(LocalDate before) {
    return jdbc.sql(
            "SELECT reference, CASE WHEN credit THEN amount_minor ELSE -amount_minor END FROM bank_line"
                + " WHERE statement IS NULL AND booked_on < ? ORDER BY line_id LIMIT 1000")
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
                       AND NOT EXISTS (SELECT 1 FROM funding_line l WHERE l.funding_id = f.funding_id))
                 + (SELECT coalesce(sum(CASE WHEN credit THEN amount_minor ELSE -amount_minor END), 0)
                      FROM bank_line WHERE statement IS NULL)
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
        row.getString(10),
        row.getObject(11, OffsetDateTime.class).toInstant());
  }

  private static StoredLine line(ResultSet row, int number) throws SQLException {
    return new StoredLine(
        row.getLong(1),
        row.getString(2),
        row.getBoolean(3),
        row.getLong(4),
        row.getObject(5, LocalDate.class),
        row.getString(6),
        row.getString(7),
        row.getString(8),
        row.getBytes(9),
        row.getBoolean(10));
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
