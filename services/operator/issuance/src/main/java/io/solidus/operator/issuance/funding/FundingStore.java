package io.solidus.operator.issuance.funding;

import io.solidus.platform.bank.BankScope;
import io.solidus.platform.outbox.CommitOrder;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Reads and writes the table of fundings. */
@Repository
class FundingStore {
  private static final String COLUMNS =
      "SELECT sequence, funding_id, amount_minor, reserved_minor, holder_tag, sealed_reference, token_hash, recorded_by,"
          + " recorded_at, reversed, bank FROM funding";
  private static final String SELECT = COLUMNS + " WHERE funding_id = ?";

  /**
   * Which fundings a list shows.
   *
   * @param prefix of the funding's id
   * @param from the first UTC day of the record
   * @param to the last one
   */
  record Filter(
      @Nullable FundingStatus status,
      @Nullable String prefix,
      @Nullable LocalDate from,
      @Nullable LocalDate to) {
    Filter {
      if (prefix != null && prefix.indexOf('\0') >= 0) {
        throw ProtocolException.malformed("reference has a character that no id has");
      }
    }
  }

  private final JdbcClient jdbc;

  FundingStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Inserts a funding, numbered in the order of commits; false when its id exists. */
  boolean insert(Funding funding) {
    CommitOrder.enter(jdbc, "funding");
    Digest32 tag = funding.holderTag();
    return jdbc.sql(
                "INSERT INTO funding (funding_id, amount_minor, holder_tag, sealed_reference, token_hash, recorded_by, recorded_at, bank)"
                    + " VALUES (:id, :amount, :tag, :reference, :token, :by, :at, :bank) ON CONFLICT DO NOTHING")
            .param("id", funding.fundingId())
            .param("amount", funding.amount().minor())
            .param("tag", tag == null ? null : tag.bytes(), Types.BINARY)
            .param("reference", funding.sealedReference(), Types.BINARY)
            .param("token", funding.tokenHash().bytes())
            .param("by", funding.recordedBy())
            .param("at", OffsetDateTime.ofInstant(funding.recordedAt(), ZoneOffset.UTC))
            .param("bank", funding.bank())
            .update()
        == 1;
  }

  Optional<Funding> find(String fundingId) {
    return jdbc.sql(SELECT).param(fundingId).query(FundingStore::read).optional();
  }

  /**
   * Locks the row until the transaction ends. The lock is weaker than FOR UPDATE, because inserts
   * of mints, whose foreign key names the row, would wait for that.
   */
  Optional<Funding> lock(String fundingId) {
    return jdbc.sql(SELECT + " FOR NO KEY UPDATE")
        .param(fundingId)
        .query(FundingStore::read)
        .optional();
  }

  /** Reserves a value of the funding, or frees it when {@code changeMinor} is negative. */
  void reserve(String fundingId, long changeMinor) {
    jdbc.sql("UPDATE funding SET reserved_minor = reserved_minor + ? WHERE funding_id = ?")
        .params(changeMinor, fundingId)
        .update();
  }

  /** The fundings after {@code cursor}; none appears later with a smaller number. */
  List<Funding> page(BankScope scope, Filter filter, long cursor, int limit) {
    FundingStatus status = filter.status();
    return jdbc.sql(
            COLUMNS
                + " WHERE sequence > :cursor AND (:bank = '' OR bank = :bank)"
                + (status == null ? "" : " AND " + status.condition())
                + " AND (:prefix::text IS NULL OR starts_with(funding_id, :prefix))"
                + " AND (:from::timestamptz IS NULL OR recorded_at >= :from)"
                + " AND (:to::timestamptz IS NULL OR recorded_at < :to)"
                + " ORDER BY sequence LIMIT :limit")
        .param("cursor", cursor)
        .param("bank", scope.id())
        .param("prefix", filter.prefix(), Types.VARCHAR)
        .param("from", begin(filter.from()), Types.TIMESTAMP_WITH_TIMEZONE)
        .param(
            "to",
            filter.to() == null ? null : begin(filter.to().plusDays(1)),
            Types.TIMESTAMP_WITH_TIMEZONE)
        .param("limit", limit)
        .query(FundingStore::read)
        .list();
  }

  private static @Nullable OffsetDateTime begin(@Nullable LocalDate day) {
    return day == null ? null : day.atStartOfDay().atOffset(ZoneOffset.UTC);
  }

  /** The value of the approved mints of a funding. */
  Amount issued(String fundingId) {
    return new Amount(
        jdbc.sql(
                "SELECT coalesce(sum(value_minor), 0)::bigint FROM mint WHERE funding_id = ? AND status = 'approved'")
            .param(fundingId)
            .query(Long.class)
            .single());
  }

  boolean hasWaitingMint(String fundingId) {
    return jdbc.sql(
            "SELECT EXISTS (SELECT 1 FROM mint WHERE funding_id = ? AND status = 'awaiting-approval')")
        .param(fundingId)
        .query(Boolean.class)
        .single();
  }

  void reverse(String fundingId) {
    jdbc.sql("UPDATE funding SET reversed = true WHERE funding_id = ?").param(fundingId).update();
  }

  void replaceToken(String fundingId, Digest32 tokenHash) {
    jdbc.sql("UPDATE funding SET token_hash = ? WHERE funding_id = ?")
        .params(tokenHash.bytes(), fundingId)
        .update();
  }

  private static Funding read(ResultSet row, int number) throws SQLException {
    byte[] tag = row.getBytes(5);
    return new Funding(
        row.getLong(1),
        row.getString(2),
        new Amount(row.getLong(3)),
        new Amount(row.getLong(4)),
        tag == null ? null : new Digest32(tag),
        row.getBytes(6),
        new Digest32(row.getBytes(7)),
        row.getString(8),
        row.getObject(9, OffsetDateTime.class).toInstant(),
        row.getBoolean(10),
        row.getString(11));
  }
}
