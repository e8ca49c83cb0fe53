package io.solidus.operator.issuance.funding;

import io.solidus.protocol.Amount;
import io.solidus.protocol.Digest32;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Reads and writes the table of fundings. */
@Repository
class FundingStore {
  private static final String SELECT =
      "SELECT funding_id, amount_minor, reserved_minor, holder_tag, sealed_reference, token_hash, recorded_by, recorded_at"
          + " FROM funding WHERE funding_id = ?";

  private final JdbcClient jdbc;

  FundingStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Inserts a funding; false when its id exists. */
  boolean insert(Funding funding) {
    Digest32 tag = funding.holderTag();
    return jdbc.sql(
                "INSERT INTO funding (funding_id, amount_minor, holder_tag, sealed_reference, token_hash, recorded_by, recorded_at)"
                    + " VALUES (:id, :amount, :tag, :reference, :token, :by, :at) ON CONFLICT DO NOTHING")
            .param("id", funding.fundingId())
            .param("amount", funding.amount().minor())
            .param("tag", tag == null ? null : tag.bytes(), Types.BINARY)
            .param("reference", funding.sealedReference(), Types.BINARY)
            .param("token", funding.tokenHash().bytes())
            .param("by", funding.recordedBy())
            .param("at", OffsetDateTime.ofInstant(funding.recordedAt(), ZoneOffset.UTC))
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

  void replaceToken(String fundingId, Digest32 tokenHash) {
    jdbc.sql("UPDATE funding SET token_hash = ? WHERE funding_id = ?")
        .params(tokenHash.bytes(), fundingId)
        .update();
  }

  private static Funding read(ResultSet row, int number) throws SQLException {
    byte[] tag = row.getBytes(4);
    return new Funding(
        row.getString(1),
        new Amount(row.getLong(2)),
        new Amount(row.getLong(3)),
        tag == null ? null : new Digest32(tag),
        row.getBytes(5),
        new Digest32(row.getBytes(6)),
        row.getString(7),
        row.getObject(8, OffsetDateTime.class).toInstant());
  }
}
