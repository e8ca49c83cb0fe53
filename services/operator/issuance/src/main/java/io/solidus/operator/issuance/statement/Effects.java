package io.solidus.operator.issuance.statement;

import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What a message of the bank does to the books; amounts in minor units.
 *
 * @param day of a statement, or null
 * @param pending entries that the bank has not booked; they are left out
 * @param skipped entries that move no money; they are left out
 * @param unexplainedMinor what no named difference explains after a statement, or null
 * @param sums the new lines by name
 * @param entries the entries of the ledger by kind
 * @param lines the new lines
 * @param payouts payouts whose state changes
 * @param differences the new differences
 */
public record Effects(
    @Nullable LocalDate day,
    @Nullable Long openingMinor,
    @Nullable Long closingMinor,
    int pending,
    int skipped,
    @Nullable Long unexplainedMinor,
    List<Sum> sums,
    List<Sum> entries,
    List<NewLine> lines,
    List<Payout> payouts,
    List<NewDifference> differences) {
  /** How many rows of each kind a page shows. */
  static final int PAGE = 200;

  /** How many of a name or kind, and their sum. */
  public record Sum(String name, long count, long sumMinor) {}

  /** A new line; {@code subject} is the funding, payout or batch that it is matched with. */
  public record NewLine(
      String reference,
      boolean credit,
      long amountMinor,
      LocalDate bookedOn,
      String name,
      @Nullable String subject) {}

  /** A payout and the entry that is made of it. */
  public record Payout(String endToEndId, String entry, long amountMinor) {}

  /** Something that does not agree. */
  public record NewDifference(String name, String subject, long amountMinor) {}

  /**
   * The same with some of its lines, payouts and differences: of each kind those from a place on.
   */
  Effects page(int from, int limit) {
    return new Effects(
        day,
        openingMinor,
        closingMinor,
        pending,
        skipped,
        unexplainedMinor,
        sums,
        entries,
        some(lines, from, limit),
        some(payouts, from, limit),
        some(differences, from, limit));
  }

  private static <T> List<T> some(List<T> all, int from, int limit) {
    return all.stream().skip(from).limit(limit).toList();
  }

  /** How many lines, payouts or differences there are, of which there are most. */
  int rows() {
    return Math.max(lines.size(), Math.max(payouts.size(), differences.size()));
  }

  /** The number of the newest entry of the ledger. */
  static long newestEntry(JdbcClient jdbc) {
    return jdbc.sql("SELECT coalesce(max(sequence), 0) FROM ledger_entry")
        .query(Long.class)
        .single();
  }

  /**
   * What a message has done, in its transaction.
   *
   * @param message the number of its row
   * @param before the newest entry before it
   */
  static Effects of(JdbcClient jdbc, long message, long before) {
    Effects head =
        jdbc.sql(
                "SELECT day, opening_minor, closing_minor, pending, skipped, unexplained_minor FROM bank_message WHERE sequence = ?")
            .param(message)
            .query((row, n) ->
                new Effects(
                    row.getObject(1, LocalDate.class),
                    row.getObject(2, Long.class),
                    row.getObject(3, Long.class),
                    row.getInt(4),
                    row.getInt(5),
                    row.getObject(6, Long.class),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of()))
            .single();
    return new Effects(
        head.day(),
        head.openingMinor(),
        head.closingMinor(),
        head.pending(),
        head.skipped(),
        head.unexplainedMinor(),
        sums(
            jdbc,
            "SELECT name, count(*), sum(amount_minor)::bigint FROM bank_line WHERE message = ? GROUP BY name ORDER BY name",
            message),
        sums(
            jdbc,
            "SELECT kind, count(*), sum(amount_minor)::bigint FROM ledger_entry WHERE sequence > ? GROUP BY kind ORDER BY kind",
            before),
        jdbc.sql(
                "SELECT reference, credit, amount_minor, booked_on, name, subject FROM bank_line WHERE message = ?"
                    + " ORDER BY line_id")
            .param(message)
            .query((row, n) ->
                new NewLine(
                    row.getString(1),
                    row.getBoolean(2),
                    row.getLong(3),
                    row.getObject(4, LocalDate.class),
                    row.getString(5),
                    row.getString(6)))
            .list(),
        jdbc.sql(
                "SELECT end_to_end_id, kind, e.amount_minor FROM ledger_entry e"
                    + " JOIN redemption ON lead_serial = substring(reference FROM 1 FOR 32)"
                    + " WHERE e.sequence > ? AND kind LIKE 'payout-%' ORDER BY e.sequence")
            .param(before)
            .query((row, n) -> new Payout(row.getString(1), row.getString(2), row.getLong(3)))
            .list(),
        jdbc.sql(
                "SELECT name, subject, amount_minor FROM bank_difference WHERE message = ? ORDER BY difference_id")
            .param(message)
            .query(
                (row, n) -> new NewDifference(row.getString(1), row.getString(2), row.getLong(3)))
            .list());
  }

  private static List<Sum> sums(JdbcClient jdbc, String sql, long parameter) {
    return jdbc.sql(sql)
        .param(parameter)
        .query((row, n) -> new Sum(row.getString(1), row.getLong(2), row.getLong(3)))
        .list();
  }
}
