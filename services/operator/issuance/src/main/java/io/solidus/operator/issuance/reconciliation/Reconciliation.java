package io.solidus.operator.issuance.reconciliation;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.operator.issuance.books.Ledger;
import io.solidus.protocol.Committee;
import io.solidus.protocol.MoneyTotals;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SignedNote;
import java.time.Clock;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * Compares the authorities' signed totals with the books. Money is issued here before a validator
 * mints it, so no honest authority has ever minted more than was issued. An authority that has
 * shows a mint that went past this desk with two approvers' signatures.
 *
 * <p>Issued money that nobody has collected yet can hide such a mint until it is collected. An
 * authority can lie in its totals; f+1 of them cannot all.
 */
@Service
class Reconciliation {
  private static final Logger log = LoggerFactory.getLogger(Reconciliation.class);

  /** How long a difference rings. */
  private static final int DAYS = 7;

  private final NetworkId network;
  private final Committee committee;
  private final Ledger ledger;
  private final JdbcClient jdbc;
  private final Clock clock;

  Reconciliation(
      NetworkId network,
      Committee committee,
      Ledger ledger,
      JdbcClient jdbc,
      Clock clock,
      MeterRegistry registry) {
    this.network = network;
    this.committee = committee;
    this.ledger = ledger;
    this.jdbc = jdbc;
    this.clock = clock;
    gauge(registry, "solidus.issuance.past.desk.minor", "coalesce(max(past_desk_minor), 0)");
    gauge(
        registry,
        "solidus.issuance.past.desk.authorities",
        "count(DISTINCT authority) FILTER (WHERE past_desk_minor > 0)");
    gauge(registry, "solidus.issuance.totals.authorities", "count(DISTINCT authority)");
    Gauge.builder("solidus.issuance.totals.silent", this, Reconciliation::silent)
        .description("authorities that have not reported a day that others reported a day ago")
        .register(registry);
  }

  private void gauge(MeterRegistry registry, String name, String value) {
    Gauge.builder(name, this, self -> self.lately(value)).register(registry);
  }

  /**
   * Takes an authority's note. A repeated or older one changes nothing.
   *
   * @throws ProtocolException when its authority did not sign it
   */
  void take(String encoded) {
    SignedNote note = SignedNote.parse(encoded);
    MoneyTotals totals = MoneyTotals.parse(network, note.text());
    committee.noteKeys(totals.authority()).require(note, clock.instant());
    // read after the note was made: the desk issues first
    long issued = ledger.supply().issuedMinor();
    long pastDesk = Math.max(0, totals.mintedInAll().minor() - issued);
    if (save(totals, note, pastDesk) && pastDesk > 0) {
      log.error(
          "ALARM: authority {} has minted more than this desk issued: a mint went past the desk, or the authority lies",
          totals.authority());
    }
  }

  private boolean save(MoneyTotals totals, SignedNote note, long pastDesk) {
    return jdbc.sql(
                """
                INSERT INTO authority_totals AS known (authority, day, minted_minor, withdrawn_minor, minted_in_all_minor,
                  withdrawn_in_all_minor, past_desk_minor, note, received_at)
                VALUES (:authority, :day, :minted, :withdrawn, :mintedInAll, :withdrawnInAll, :pastDesk, :note, :at)
                ON CONFLICT (authority, day) DO UPDATE SET minted_minor = excluded.minted_minor,
                  withdrawn_minor = excluded.withdrawn_minor, minted_in_all_minor = excluded.minted_in_all_minor,
                  withdrawn_in_all_minor = excluded.withdrawn_in_all_minor,
                  past_desk_minor = greatest(known.past_desk_minor, excluded.past_desk_minor),
                  note = excluded.note, received_at = excluded.received_at
                WHERE known.minted_minor <= excluded.minted_minor AND known.withdrawn_minor <= excluded.withdrawn_minor
                  AND known.note <> excluded.note
                """)
            .param("authority", totals.authority())
            .param("day", totals.day())
            .param("minted", totals.minted().minor())
            .param("withdrawn", totals.withdrawn().minor())
            .param("mintedInAll", totals.mintedInAll().minor())
            .param("withdrawnInAll", totals.withdrawnInAll().minor())
            .param("pastDesk", pastDesk)
            .param("note", note.encode())
            .param("at", OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC))
            .update()
        == 1;
  }

  /**
   * An authority reports a day when it minted or withdrew something on it. Who learns of a payment
   * later reports a later day.
   */
  private double silent() {
    try {
      return jdbc.sql(
              """
              SELECT CASE WHEN newest.day IS NULL THEN 0
                          ELSE :all - (SELECT count(DISTINCT authority) FROM authority_totals t WHERE t.day >= newest.day) END
                FROM (SELECT max(day) AS day FROM authority_totals WHERE received_at < :since) newest
              """)
          .param("all", committee.n())
          .param("since", OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC).minusDays(1))
          .query(Double.class)
          .single();
    } catch (DataAccessException e) {
      return Double.NaN;
    }
  }

  /** A value over the rows of the last days; NaN when the database is unavailable. */
  private double lately(String value) {
    try {
      return jdbc.sql("SELECT " + value + " FROM authority_totals WHERE received_at >= :since")
          .param(
              "since", LocalDate.now(clock).minusDays(DAYS).atStartOfDay().atOffset(ZoneOffset.UTC))
          .query(Double.class)
          .single();
    } catch (DataAccessException e) {
      return Double.NaN;
    }
  }
}
