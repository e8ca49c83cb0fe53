package io.solidus.operator.issuance.books;

import java.time.Clock;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/** Reads balances and entries of the ledger. Days are UTC days. */
@Service
class Books {
  private final JdbcClient jdbc;
  private final Clock clock;

  Books(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * An account's balances in minor units, debit minus credit: positive for what the issuer has
   * (settlement, receivable), negative for what it owes.
   */
  record Balance(String account, long openingMinor, long closingMinor) {}

  /** All entries of a kind on a day. */
  record DayEntries(String kind, long count, long sumMinor) {}

  /** An entry; {@code reference} is what caused it. */
  record Entry(
      long sequence,
      String kind,
      byte[] reference,
      String debit,
      String credit,
      long amountMinor,
      OffsetDateTime at) {}

  boolean isFuture(LocalDate day) {
    return day.isAfter(LocalDate.now(clock.withZone(ZoneOffset.UTC)));
  }

  /** The balances before the first and after the last entry of a day. */
  List<Balance> balances(LocalDate day) {
    return jdbc.sql(
            """
            SELECT a.name, a.debit_minor - a.credit_minor - coalesce(later.change, 0) - coalesce(today.change, 0),
                   a.debit_minor - a.credit_minor - coalesce(later.change, 0)
              FROM ledger_account a
              LEFT JOIN (SELECT account, sum(change) AS change FROM (
                     SELECT debit_account AS account, amount_minor AS change FROM ledger_entry WHERE entered_at >= :end
                     UNION ALL SELECT credit_account, -amount_minor FROM ledger_entry WHERE entered_at >= :end) l
                   GROUP BY account) later ON later.account = a.name
              LEFT JOIN (SELECT account, sum(change) AS change FROM (
                     SELECT debit_account AS account, amount_minor AS change FROM ledger_entry
                      WHERE entered_at >= :begin AND entered_at < :end
                     UNION ALL SELECT credit_account, -amount_minor FROM ledger_entry
                      WHERE entered_at >= :begin AND entered_at < :end) t
                   GROUP BY account) today ON today.account = a.name
             ORDER BY a.name
            """)
        .param("begin", begin(day))
        .param("end", begin(day.plusDays(1)))
        .query((row, n) ->
            new Balance(
                row.getString(1),
                row.getBigDecimal(2).longValueExact(),
                row.getBigDecimal(3).longValueExact()))
        .list();
  }

  List<DayEntries> kinds(LocalDate day) {
    return jdbc.sql(
            "SELECT kind, count(*), sum(amount_minor)::bigint FROM ledger_entry"
                + " WHERE entered_at >= ? AND entered_at < ? GROUP BY kind ORDER BY kind")
        .params(begin(day), begin(day.plusDays(1)))
        .query((row, n) -> new DayEntries(row.getString(1), row.getLong(2), row.getLong(3)))
        .list();
  }

  /** The entries after {@code cursor}; none appears later with a smaller number. */
  List<Entry> entries(long cursor, int limit) {
    return jdbc.sql(
            "SELECT sequence, kind, reference, debit_account, credit_account, amount_minor, entered_at"
                + " FROM ledger_entry WHERE sequence > ? ORDER BY sequence LIMIT ?")
        .params(cursor, limit)
        .query((row, n) ->
            new Entry(
                row.getLong(1),
                row.getString(2),
                row.getBytes(3),
                row.getString(4),
                row.getString(5),
                row.getLong(6),
                row.getObject(7, OffsetDateTime.class)))
        .list();
  }

  private static OffsetDateTime begin(LocalDate day) {
    return day.atStartOfDay().atOffset(ZoneOffset.UTC);
  }
}
