package io.solidus.operator.issuance.mint;

import io.solidus.platform.bank.BankScope;
import io.solidus.platform.outbox.CommitOrder;
import io.solidus.protocol.MintApproval;
import io.solidus.protocol.MintId;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Reads and writes the tables of mints and their approvals. */
@Repository
class MintStore {
  private static final String COLUMNS =
      "SELECT sequence, funding_id, recorded_by, core, request, status, requested_at, reason,"
          + " ARRAY(SELECT a.approver FROM mint_approval a WHERE a.mint_id = mint.mint_id ORDER BY a.approved_at, a.approver),"
          + " ARRAY(SELECT a.signature FROM mint_approval a WHERE a.mint_id = mint.mint_id ORDER BY a.approved_at, a.approver)"
          + " FROM mint";

  private final JdbcClient jdbc;

  MintStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Inserts a mint, numbered in the order of commits; false when its id exists. */
  boolean insert(
      MintRequest request, TxCore core, String fundingId, String recordedBy, Instant at) {
    CommitOrder.enter(jdbc, "mint");
    return jdbc.sql(
                "INSERT INTO mint (mint_id, funding_id, recorded_by, value_minor, core, request, requested_at)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING")
            .params(
                request.statement().mintId().bytes(),
                fundingId,
                recordedBy,
                request.statement().value().minor(),
                core.bytes(),
                Codecs.toBytes(request),
                utc(at))
            .update()
        == 1;
  }

  Optional<Mint> find(MintId id) {
    return jdbc.sql(COLUMNS + " WHERE mint_id = ?")
        .param(id.bytes())
        .query(MintStore::read)
        .optional();
  }

  /** Locks a mint until the transaction ends; false when there is none. */
  boolean lock(MintId id) {
    return jdbc.sql("SELECT 1 FROM mint WHERE mint_id = ? FOR NO KEY UPDATE")
        .param(id.bytes())
        .query(Integer.class)
        .optional()
        .isPresent();
  }

  /** The mints after {@code cursor}, in the order of their requests. */
  List<Mint> page(BankScope scope, @Nullable MintStatus status, long cursor, int limit) {
    return jdbc.sql(
            COLUMNS
                + " WHERE sequence > :cursor AND (CAST(:status AS text) IS NULL OR status = :status)"
                + " AND (:bank = '' OR funding_id IN (SELECT funding_id FROM funding WHERE bank = :bank))"
                + " ORDER BY sequence LIMIT :limit")
        .param("cursor", cursor)
        .param("status", status == null ? null : status.id())
        .param("bank", scope.id())
        .param("limit", limit)
        .query(MintStore::read)
        .list();
  }

  void approve(Mint mint, MintApproval approval, String subject, Instant at) {
    jdbc.sql(
            "INSERT INTO mint_approval (mint_id, recorded_by, approver, subject, signature, approved_at)"
                + " VALUES (?, ?, ?, ?, ?, ?)")
        .params(
            mint.id().bytes(),
            mint.recordedBy(),
            approval.approver(),
            subject,
            approval.signature(),
            utc(at))
        .update();
  }

  void decide(MintId id, MintStatus status, @Nullable String reason, Instant at) {
    jdbc.sql(
            "UPDATE mint SET status = :status, reason = :reason, decided_at = :at WHERE mint_id = :id")
        .param("status", status.id())
        .param("reason", reason)
        .param("at", utc(at))
        .param("id", id.bytes())
        .update();
  }

  private static Mint read(ResultSet row, int number) throws SQLException {
    return new Mint(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        TxCore.of(row.getBytes(4)),
        Codecs.mintRequest(row.getBytes(5)),
        MintStatus.of(row.getString(6)),
        row.getObject(7, OffsetDateTime.class).toInstant(),
        row.getString(8),
        approvals((String[]) row.getArray(9).getArray(), (byte[][]) row.getArray(10).getArray()));
  }

  private static List<MintApproval> approvals(String[] approvers, byte[][] signatures) {
    return IntStream.range(0, approvers.length)
        .mapToObj(i -> new MintApproval(approvers[i], signatures[i]))
        .toList();
  }

  private static OffsetDateTime utc(Instant at) {
    return OffsetDateTime.ofInstant(at, ZoneOffset.UTC);
  }
}
