package io.solidus.operator.issuance.redemption;

import io.solidus.operator.issuance.redemption.PayoutStates.Change;
import io.solidus.operator.issuance.redemption.PayoutStates.Known;
import io.solidus.platform.bank.BankScope;
import io.solidus.platform.outbox.CommitOrder;
import io.solidus.protocol.Amount;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The tables of redemptions, whose rows are never changed, and of what became of their payouts. */
@Repository
class RedemptionStore {
  private static final String COLUMNS =
      "SELECT sequence, lead_serial, core, amount_minor, end_to_end_id, sealed_payout, accepted_at, state, attempt, reason,"
          + " changed_at, batch_id, hold, "
          + correction("payout.attempt")
          + ", bank FROM redemption JOIN payout USING (lead_serial)";

  private static final String KNOWN =
      "SELECT lead_serial, end_to_end_id, amount_minor, payout.state, payout.attempt, payout.undone, payout.batch_id"
          + " FROM redemption JOIN payout USING (lead_serial)";

  /** The place of the bank in the insert; it may be null. */
  private static final int BANK = 9;

  private static final String HELD =
      " state = 'accepted' AND batch_id IS NULL AND hold IN ('iban-invalid', 'agent-unknown', 'screening')";

  /** Whether an open difference names a payout, or a batch that it is or was in. */
  private static final String DISPUTED =
      """
      EXISTS (
        SELECT 1 FROM bank_difference d LEFT JOIN bank_line l USING (line_id)
         WHERE d.closed_by IS NULL AND d.name <> 'missing-settlement'
           AND (redemption.end_to_end_id IN (d.subject, l.subject, l.end_to_end_id)
                OR EXISTS (SELECT 1 FROM payout_batch_item i
                            WHERE i.lead_serial = redemption.lead_serial AND i.batch_id IN (d.subject, l.subject))))
      """;

  private static String correction(String attempt) {
    return "(SELECT sealed FROM payee_correction c WHERE c.lead_serial = redemption.lead_serial AND c.status = 'approved'"
        + " AND c.attempt <= "
        + attempt
        + " ORDER BY c.correction_id DESC LIMIT 1)";
  }

  private final JdbcClient jdbc;

  RedemptionStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Inserts a payout, numbered in the order of commits; false when the lead serial number has one.
   * Waits for a concurrent insert of the same. ON CONFLICT names no column, because PostgreSQL may
   * meet the concurrent row first in the index of {@code end_to_end_id}, and would then raise an
   * error.
   */
  boolean insert(
      TransferRequest request,
      TxCore core,
      String endToEndId,
      @Nullable String bank,
      List<PartialSignature> partials,
      Instant at) {
    CommitOrder.enter(jdbc, "redemption");
    return jdbc.sql(
                "INSERT INTO redemption"
                    + " (lead_serial, core, amount_minor, end_to_end_id, sealed_payout, request, partials, accepted_at, bank)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING")
            .params(
                request.statement().leadSerial().bytes(),
                core.bytes(),
                request.statement().withdrawn().minor(),
                endToEndId,
                request.attachments().payoutBlock(),
                Codecs.toBytes(request),
                partials.stream().map(Codecs::toBytes).toArray(byte[][]::new),
                OffsetDateTime.ofInstant(at, ZoneOffset.UTC))
            .param(BANK, bank, Types.VARCHAR)
            .update()
        == 1;
  }

  Optional<Redemption> find(SerialNumber lead) {
    return jdbc.sql(COLUMNS + " WHERE lead_serial = ?")
        .param(lead.bytes())
        .query(RedemptionStore::read)
        .optional();
  }

  /** Locks the state of a payout until the transaction ends. */
  Optional<Redemption> lock(SerialNumber lead) {
    return jdbc.sql(COLUMNS + " WHERE lead_serial = ? FOR NO KEY UPDATE OF payout")
        .param(lead.bytes())
        .query(RedemptionStore::read)
        .optional();
  }

  /** What is known of the payouts whose column has one of these values. */
  List<Known> known(String column, Collection<String> values) {
    return jdbc.sql(KNOWN + " WHERE " + column + " = ANY(?) ORDER BY sequence")
        .param(values.toArray(String[]::new))
        .query(RedemptionStore::readKnown)
        .list();
  }

  private static Known readKnown(ResultSet row, int number) throws SQLException {
    return new Known(
        SerialNumber.of(row.getBytes(1)),
        row.getString(2),
        new Amount(row.getLong(3)),
        PayoutState.of(row.getString(4)),
        row.getInt(5),
        row.getInt(6),
        row.getString(7));
  }

  /** How often a move of a payout was taken back. */
  int undone(SerialNumber lead) {
    return jdbc.sql("SELECT undone FROM payout WHERE lead_serial = ?")
        .param(lead.bytes())
        .query(Integer.class)
        .single();
  }

  /** Keeps which payouts a message of the bank moved. */
  void keepMoves(long message, List<Change> changes) {
    jdbc.sql(
            "INSERT INTO bank_move (message, lead_serial, attempt, state) SELECT ?, * FROM unnest(?, ?, ?)")
        .params(
            message,
            changes.stream().map(c -> c.payout().lead().bytes()).toArray(byte[][]::new),
            changes.stream().map(c -> c.payout().attempt()).toArray(Integer[]::new),
            changes.stream().map(c -> c.next().id()).toArray(String[]::new))
        .update();
  }

  /**
   * Whether the payouts that a message moved are in the states and attempts that it left them in.
   */
  boolean isWhereMoved(long message) {
    return jdbc.sql(
            """
            SELECT NOT EXISTS (
              SELECT 1 FROM bank_move w JOIN payout p USING (lead_serial)
               WHERE w.message = :message
                 AND (p.attempt <> w.attempt
                      OR (p.state <> w.state
                          AND NOT (w.state = 'settled' AND p.state = 'returned'
                                   AND EXISTS (SELECT 1 FROM bank_move r WHERE r.message = :message AND r.lead_serial = w.lead_serial
                                                  AND r.state = 'returned')))))
            """)
        .param("message", message)
        .query(Boolean.class)
        .single();
  }

  /** The payouts that a message moved to a state, and that are in it. */
  List<Known> moved(long message, PayoutState state) {
    return jdbc.sql(
            KNOWN
                + " JOIN bank_move w USING (lead_serial) WHERE w.message = ? AND w.state = ? AND payout.state = w.state ORDER BY sequence")
        .params(message, state.id())
        .query(RedemptionStore::readKnown)
        .list();
  }

  /** Takes moves of payouts back. */
  void takeBack(List<Known> payouts, PayoutState to, Instant at) {
    jdbc.sql(
            "UPDATE payout SET state = ?, undone = undone + 1, reason = NULL, changed_at = ? WHERE lead_serial = ANY(?)")
        .params(
            to.id(),
            OffsetDateTime.ofInstant(at, ZoneOffset.UTC),
            payouts.stream().map(p -> p.lead().bytes()).toArray(byte[][]::new))
        .update();
  }

  /** Changes the states of payouts. */
  void changeAll(List<Change> changes, Instant at) {
    jdbc.sql(
            "UPDATE payout SET state = c.state, reason = c.reason, changed_at = ? FROM unnest(?, ?, ?) c (lead, state, reason)"
                + " WHERE lead_serial = c.lead")
        .params(
            OffsetDateTime.ofInstant(at, ZoneOffset.UTC),
            changes.stream().map(c -> c.payout().lead().bytes()).toArray(byte[][]::new),
            changes.stream().map(c -> c.next().id()).toArray(String[]::new),
            changes.stream().map(Change::reason).toArray(String[]::new))
        .update();
  }

  /**
   * The payouts after {@code cursor}, in the order of acceptance. No payout appears later with a
   * smaller number.
   *
   * @param state null for all
   * @param held whether only payouts are wanted that wait for another payee
   */
  List<Redemption> page(
      BankScope scope, @Nullable PayoutState state, boolean held, long cursor, int limit) {
    return jdbc.sql(
            COLUMNS
                + " WHERE sequence > :cursor AND (:bank = '' OR bank = :bank)"
                + " AND (:state::text IS NULL OR state = :state)"
                + (held ? " AND" + HELD : "")
                + " ORDER BY sequence LIMIT :limit")
        .param("cursor", cursor)
        .param("bank", scope.id())
        .param("state", state == null ? null : state.id(), Types.VARCHAR)
        .param("limit", limit)
        .query(RedemptionStore::read)
        .list();
  }

  /**
   * Accepted payouts that a batch of a bank can take, the oldest first.
   *
   * @param bank null: of no bank
   */
  List<Redemption> lockPayable(@Nullable String bank, int limit) {
    return lockWaiting("none", "bank IS NOT DISTINCT FROM :bank AND NOT " + DISPUTED, bank, limit);
  }

  /** Accepted payouts that nobody has looked at, the oldest first. */
  List<Redemption> unexamined(int limit) {
    return lockWaiting("unexamined", ":bank::text IS NULL", null, limit);
  }

  private List<Redemption> lockWaiting(
      String hold, String whose, @Nullable String bank, int limit) {
    return jdbc.sql(
            COLUMNS
                + " WHERE state = 'accepted' AND batch_id IS NULL AND hold = :hold AND "
                + whose
                + " ORDER BY sequence LIMIT :limit FOR NO KEY UPDATE OF payout")
        .param("hold", hold)
        .param("bank", bank, Types.VARCHAR)
        .param("limit", limit)
        .query(RedemptionStore::read)
        .list();
  }

  /** The end-to-end ids of a bank's accepted payouts that no batch takes, the oldest first. */
  List<String> held(@Nullable String bank, int limit) {
    return jdbc.sql(
            "SELECT end_to_end_id FROM redemption JOIN payout USING (lead_serial) WHERE"
                + HELD
                + " AND bank IS NOT DISTINCT FROM :bank ORDER BY sequence LIMIT :limit")
        .param("bank", bank, Types.VARCHAR)
        .param("limit", limit)
        .query(String.class)
        .list();
  }

  /** Whether an open difference names a payout or one of its batches. */
  boolean isDisputed(SerialNumber lead) {
    return jdbc.sql("SELECT " + DISPUTED + " FROM redemption WHERE lead_serial = ?")
        .param(lead.bytes())
        .query(Boolean.class)
        .single();
  }

  void hold(SerialNumber lead, PayoutHold hold) {
    jdbc.sql("UPDATE payout SET hold = ? WHERE lead_serial = ?")
        .params(hold.id(), lead.bytes())
        .update();
  }

  /** Puts payouts that nobody had looked at on hold, or frees them. */
  void examined(Map<SerialNumber, PayoutHold> holds) {
    jdbc.sql(
            "UPDATE payout SET hold = e.hold FROM unnest(?, ?) e (lead, hold)"
                + " WHERE lead_serial = e.lead AND payout.hold = 'unexamined' AND batch_id IS NULL")
        .params(
            holds.keySet().stream().map(SerialNumber::bytes).toArray(byte[][]::new),
            holds.values().stream().map(PayoutHold::id).toArray(String[]::new))
        .update();
  }

  /** Has everything that depends on the settings looked at anew. */
  void forgetAgents() {
    jdbc.sql(
            "UPDATE payout SET hold = 'unexamined' WHERE hold IN ('none', 'agent-unknown')"
                + " AND state IN ('accepted', 'failed', 'returned')")
        .update();
  }

  /** The payouts of a batch whose present attempt is in it. */
  List<Redemption> batch(String batchId) {
    return jdbc.sql(
            "SELECT sequence, lead_serial, core, amount_minor, end_to_end_id, sealed_payout, accepted_at, state, i.attempt, reason,"
                + " changed_at, i.batch_id, hold, "
                + correction("i.attempt")
                + ", bank FROM payout_batch_item i JOIN redemption USING (lead_serial) JOIN payout USING (lead_serial)"
                + " WHERE i.batch_id = ? ORDER BY position")
        .param(batchId)
        .query(RedemptionStore::read)
        .list();
  }

  Set<String> batches(Collection<String> ids) {
    return Set.copyOf(
        jdbc.sql("SELECT batch_id FROM payout_batch WHERE batch_id = ANY(?)")
            .param(ids.toArray(String[]::new))
            .query(String.class)
            .list());
  }

  void putIntoBatch(SerialNumber lead, @Nullable String batchId) {
    jdbc.sql("UPDATE payout SET batch_id = :batch WHERE lead_serial = :lead")
        .param("batch", batchId, Types.VARCHAR)
        .param("lead", lead.bytes())
        .update();
  }

  void change(
      SerialNumber lead, PayoutState next, int attempt, @Nullable String reason, Instant at) {
    jdbc.sql(
            "UPDATE payout SET state = :state, attempt = :attempt, reason = :reason, changed_at = :at,"
                + " batch_id = CASE WHEN :state = 'accepted' THEN NULL ELSE batch_id END WHERE lead_serial = :lead")
        .param("state", next.id())
        .param("attempt", attempt)
        .param("reason", reason, Types.VARCHAR)
        .param("at", OffsetDateTime.ofInstant(at, ZoneOffset.UTC))
        .param("lead", lead.bytes())
        .update();
  }

  private static Redemption read(ResultSet row, int number) throws SQLException {
    return new Redemption(
        row.getLong(1),
        SerialNumber.of(row.getBytes(2)),
        TxCore.of(row.getBytes(3)),
        new Amount(row.getLong(4)),
        row.getString(5),
        row.getBytes(6),
        row.getObject(7, OffsetDateTime.class).toInstant(),
        PayoutState.of(row.getString(8)),
        row.getInt(9),
        row.getString(10),
        row.getObject(11, OffsetDateTime.class).toInstant(),
        row.getString(12),
        PayoutHold.of(row.getString(13)),
        row.getBytes(14),
        row.getString(15));
  }
}
