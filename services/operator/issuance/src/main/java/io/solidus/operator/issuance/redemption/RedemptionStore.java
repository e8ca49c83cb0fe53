package io.solidus.operator.issuance.redemption;

import io.solidus.platform.outbox.CommitOrder;
import io.solidus.protocol.Amount;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.Codecs;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of accepted payouts. Rows are never changed or deleted. */
@Repository
class RedemptionStore {
  private static final String COLUMNS =
      "SELECT sequence, lead_serial, core, amount_minor, end_to_end_id, sealed_payout, accepted_at FROM redemption";

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
      List<PartialSignature> partials,
      Instant at) {
    CommitOrder.enter(jdbc, "redemption");
    return jdbc.sql(
                "INSERT INTO redemption"
                    + " (lead_serial, core, amount_minor, end_to_end_id, sealed_payout, request, partials, accepted_at)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING")
            .params(
                request.statement().leadSerial().bytes(),
                core.bytes(),
                request.statement().withdrawn().minor(),
                endToEndId,
                request.attachments().payoutBlock(),
                Codecs.toBytes(request),
                partials.stream().map(Codecs::toBytes).toArray(byte[][]::new),
                OffsetDateTime.ofInstant(at, ZoneOffset.UTC))
            .update()
        == 1;
  }

  Optional<Redemption> find(SerialNumber lead) {
    return jdbc.sql(COLUMNS + " WHERE lead_serial = ?")
        .param(lead.bytes())
        .query(RedemptionStore::read)
        .optional();
  }

  /**
   * The payouts after {@code cursor}, in the order of acceptance. No payout appears later with a
   * smaller number.
   */
  List<Redemption> page(long cursor, int limit) {
    return jdbc.sql(COLUMNS + " WHERE sequence > ? ORDER BY sequence LIMIT ?")
        .params(cursor, limit)
        .query(RedemptionStore::read)
        .list();
  }

  private static Redemption read(ResultSet row, int number) throws SQLException {
    return new Redemption(
        row.getLong(1),
        SerialNumber.of(row.getBytes(2)),
        TxCore.of(row.getBytes(3)),
        new Amount(row.getLong(4)),
        row.getString(5),
        row.getBytes(6),
        row.getObject(7, OffsetDateTime.class).toInstant());
  }
}
