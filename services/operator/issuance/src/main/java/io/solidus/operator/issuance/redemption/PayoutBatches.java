package io.solidus.operator.issuance.redemption;

import io.solidus.operator.issuance.books.DeskConflictException;
import io.solidus.operator.issuance.books.Expiry;
import io.solidus.operator.issuance.books.Ledger;
import io.solidus.operator.issuance.books.OperatorAuditLog;
import io.solidus.operator.issuance.vault.RedemptionKeys;
import io.solidus.platform.bank.BankScope;
import io.solidus.platform.security.Operator;
import io.solidus.protocol.Amount;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.security.SecureRandom;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Batches of payouts for the bank. An operator proposes a batch, another person releases it, and
 * nothing can be added, removed or changed in between.
 */
@Service
class PayoutBatches {
  /** The most payouts of a batch. */
  static final int MAX_ITEMS = 1000;

  /** The place of the bank in the insert; it may be null. */
  private static final int BANK = 4;

  private static final String SELECT =
      "SELECT sequence, batch_id, status, proposed_by, proposed_at, decided_by, decided_at,"
          + " (SELECT count(*) FROM payout_batch_item i WHERE i.batch_id = b.batch_id),"
          + " (SELECT coalesce(sum(amount_minor), 0)::bigint FROM payout_batch_item i JOIN redemption USING (lead_serial)"
          + " WHERE i.batch_id = b.batch_id), bank FROM payout_batch b";

  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("yyyyMMdd", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final JdbcClient jdbc;
  private final RedemptionStore store;
  private final PayoutHolds holds;
  private final BatchMessages messages;
  private final PayoutStates states;
  private final Ledger ledger;
  private final Expiry expiry;
  private final OperatorAuditLog audit;
  private final RedemptionKeys keys;
  private final TransactionTemplate transaction;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();

  PayoutBatches(
      JdbcClient jdbc,
      RedemptionStore store,
      PayoutHolds holds,
      BatchMessages messages,
      PayoutStates states,
      Ledger ledger,
      Expiry expiry,
      OperatorAuditLog audit,
      RedemptionKeys keys,
      TransactionTemplate transaction,
      Clock clock) {
    this.jdbc = jdbc;
    this.store = store;
    this.holds = holds;
    this.messages = messages;
    this.states = states;
    this.ledger = ledger;
    this.expiry = expiry;
    this.audit = audit;
    this.keys = keys;
    this.transaction = transaction;
    this.clock = clock;
  }

  /**
   * A batch.
   *
   * @param batchId the id of the message to the bank, at most 35 characters
   * @param status pending, released or withdrawn
   * @param bank whose customers are paid; null: nobody's
   */
  record Batch(
      long sequence,
      String batchId,
      String status,
      @Nullable String bank,
      int count,
      Amount total,
      String proposedBy,
      Instant proposedAt,
      @Nullable String decidedBy,
      @Nullable Instant decidedAt) {}

  /**
   * A new batch.
   *
   * @param leftOut end-to-end ids of the oldest payouts on hold, at most 1000
   */
  record Proposal(Batch batch, List<String> leftOut) {}

  /**
   * Puts accepted payouts into a new batch, the oldest first. Payouts on hold are left out.
   *
   * @param bank whose customers are paid; null: nobody's
   * @param limit the most payouts, 1 to 1000
   * @throws DeskConflictException nothing-to-pay when there is no such payout
   */
  Proposal propose(@Nullable String bank, int limit, String operator) {
    if (limit < 1 || limit > MAX_ITEMS) {
      throw ProtocolException.malformed("a batch has 1 to " + MAX_ITEMS + " payouts");
    }
    boolean examined = holds.examine();
    return Objects.requireNonNull(
        transaction.execute(status -> fill(bank, limit, operator, examined)));
  }

  private Proposal fill(@Nullable String bank, int limit, String operator, boolean examined) {
    ledger.lock();
    List<Redemption> payable = store.lockPayable(bank, limit);
    if (payable.isEmpty() && !examined) {
      throw new ProtocolException(
          RejectionCode.UNAVAILABLE, "payouts wait until the sanctions service answers");
    }
    if (payable.isEmpty()) {
      throw new DeskConflictException(
          "nothing-to-pay", "no accepted payout with a valid account waits");
    }
    String batchId = newId();
    jdbc.sql(
            "INSERT INTO payout_batch (batch_id, proposed_by, proposed_at, bank) VALUES (?, ?, ?, ?)")
        .params(batchId, operator, OffsetDateTime.now(clock))
        .param(BANK, bank, Types.VARCHAR)
        .update();
    int position = 0;
    for (Redemption payout : payable) {
      jdbc.sql(
              "INSERT INTO payout_batch_item (batch_id, position, lead_serial, attempt) VALUES (?, ?, ?, ?)")
          .params(batchId, ++position, payout.lead().bytes(), payout.attempt())
          .update();
      store.putIntoBatch(payout.lead(), batchId);
    }
    audit.add(operator, "payout batch proposed", batchId);
    return new Proposal(load(batchId), store.held(bank, MAX_ITEMS));
  }

  private String newId() {
    byte[] bytes = new byte[6];
    random.nextBytes(bytes);
    return "SLD-"
        + DAY.format(clock.instant())
        + "-"
        + HexFormat.of().withUpperCase().formatHex(bytes);
  }

  /**
   * Releases a batch: its file for the bank is written, and its payouts are sent. A batch whose
   * file cannot be written stays as it is.
   *
   * @throws ProtocolException forbidden when the caller proposed it
   * @throws DeskConflictException batch-decided; proposal-expired; screening-match; agent-unknown,
   *     message-unwritable when the file cannot be written
   */
  Batch release(String batchId, String approver) {
    Instant at = clock.instant().truncatedTo(ChronoUnit.MICROS);
    // before the lock, because it takes a while: nothing changes what a batch contains
    List<Redemption> items = store.batch(batchId);
    holds.requireScreened(items);
    byte[] file =
        items.isEmpty() || !messages.areUsed() ? null : messages.write(batchId, at, items);
    return Objects.requireNonNull(
        transaction.execute(status -> release(batchId, approver, at, items, file)));
  }

  private Batch release(
      String batchId, String approver, Instant at, List<Redemption> items, byte @Nullable [] file) {
    ledger.lock();
    Batch batch = lockPending(batchId);
    if (Operator.samePerson(batch.proposedBy(), approver)) {
      throw new ProtocolException(
          RejectionCode.FORBIDDEN, "another person than the proposer releases a batch");
    }
    expiry.require(batch.proposedAt());
    decide(batchId, "released", approver, at, file == null ? null : keys.sealRecord(file));
    items.forEach(payout -> states.send(payout.lead(), approver));
    audit.add(approver, "payout batch released", batchId);
    return load(batchId);
  }

  /** Withdraws a batch; its payouts wait for another one. */
  @Transactional
  Batch withdraw(String batchId, String operator) {
    ledger.lock();
    lockPending(batchId);
    decide(batchId, "withdrawn", operator, clock.instant(), null);
    store
        .batch(batchId)
        .forEach(payout -> {
          store.putIntoBatch(payout.lead(), null);
          // the batch may have been withdrawn because it could not be written
          store.hold(payout.lead(), PayoutHold.UNEXAMINED);
        });
    audit.add(operator, "payout batch withdrawn", batchId);
    return load(batchId);
  }

  /** The payouts of a batch in its order; the view is recorded. */
  List<Redemption> items(String batchId, String operator) {
    audit.add(operator, "payout batch viewed", batchId);
    return store.batch(batchId);
  }

  /**
   * The file of a released batch, the same at each call; the view is recorded.
   *
   * @throws DeskConflictException bank-unknown, batch-not-released
   */
  byte[] message(String batchId, String operator) {
    messages.requireUsed();
    Batch batch = load(batchId);
    if (!batch.status().equals("released")) {
      throw new DeskConflictException("batch-not-released", "the batch is " + batch.status());
    }
    audit.add(operator, "payout batch viewed", batchId);
    return jdbc.sql("SELECT message FROM payout_batch WHERE batch_id = ? AND message IS NOT NULL")
        .param(batchId)
        .query((row, n) -> keys.openRecord(row.getBytes(1)))
        .optional()
        .orElseGet(() ->
            messages.write(
                batchId, Objects.requireNonNull(batch.decidedAt()), store.batch(batchId)));
  }

  List<Batch> page(BankScope scope, @Nullable String status, long cursor, int limit) {
    return jdbc.sql(
            SELECT
                + " WHERE sequence > :cursor AND (:status::text IS NULL OR status = :status)"
                + " AND (:bank = '' OR bank = :bank) ORDER BY sequence LIMIT :limit")
        .param("cursor", cursor)
        .param("status", status, Types.VARCHAR)
        .param("bank", scope.id())
        .param("limit", limit)
        .query(PayoutBatches::read)
        .list();
  }

  Batch load(String batchId) {
    return find(batchId, "").orElseThrow(PayoutBatches::notFound);
  }

  private Batch lockPending(String batchId) {
    Batch batch = find(batchId, " FOR NO KEY UPDATE").orElseThrow(PayoutBatches::notFound);
    if (!batch.status().equals("pending")) {
      throw new DeskConflictException("batch-decided", "the batch is " + batch.status());
    }
    return batch;
  }

  private void decide(
      String batchId, String status, String by, Instant at, byte @Nullable [] message) {
    jdbc.sql(
            "UPDATE payout_batch SET status = :status, decided_by = :by, decided_at = :at, message = :message WHERE batch_id = :id")
        .param("status", status)
        .param("by", by)
        .param("at", OffsetDateTime.ofInstant(at, ZoneOffset.UTC))
        .param("message", message, Types.BINARY)
        .param("id", batchId)
        .update();
  }

  private Optional<Batch> find(String batchId, String lock) {
    return jdbc.sql(SELECT + " WHERE batch_id = ?" + lock)
        .param(batchId)
        .query(PayoutBatches::read)
        .optional();
  }

  private static Batch read(ResultSet row, int number) throws SQLException {
    OffsetDateTime decided = row.getObject(7, OffsetDateTime.class);
    return new Batch(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        row.getString(10),
        row.getInt(8),
        new Amount(row.getLong(9)),
        row.getString(4),
        row.getObject(5, OffsetDateTime.class).toInstant(),
        row.getString(6),
        decided == null ? null : decided.toInstant());
  }

  private static ProtocolException notFound() {
    return new ProtocolException(RejectionCode.NOT_FOUND, "no such batch");
  }
}
