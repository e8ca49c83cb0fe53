package io.solidus.operator.sanctions.address;

import io.solidus.protocol.SanctionKey;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of listed addresses, which the next checkpoint publishes. */
@Repository
public class AddressStore {
  private static final int FETCH = 10_000;

  private final JdbcClient jdbc;
  private final JdbcTemplate template;

  AddressStore(JdbcClient jdbc, DataSource dataSource) {
    this.jdbc = jdbc;
    this.template = new JdbcTemplate(dataSource);
    this.template.setFetchSize(FETCH);
  }

  boolean insert(SanctionKey key, String reason, UUID proposal, Instant at) {
    return jdbc.sql(
                "INSERT INTO sanctioned_address (key, reason, proposal, listed_at) VALUES (?, ?, ?, ?)"
                    + " ON CONFLICT DO NOTHING")
            .params(key.bytes(), reason, proposal, OffsetDateTime.ofInstant(at, ZoneOffset.UTC))
            .update()
        == 1;
  }

  boolean delete(SanctionKey key) {
    return jdbc.sql("DELETE FROM sanctioned_address WHERE key = ?").param(key.bytes()).update()
        == 1;
  }

  boolean contains(SanctionKey key) {
    return jdbc.sql("SELECT EXISTS (SELECT 1 FROM sanctioned_address WHERE key = ?)")
        .param(key.bytes())
        .query(Boolean.class)
        .single();
  }

  /** Whose a listed address is, as its listing said; null when it did not. */
  @Nullable String subject(SanctionKey key) {
    return jdbc.sql(
            "SELECT payload::jsonb ->> 'subject' FROM sanctioned_address JOIN proposal"
                + " ON proposal.id = sanctioned_address.proposal WHERE key = ?")
        .param(key.bytes())
        .query((row, n) -> Optional.ofNullable(row.getString(1)))
        .optional()
        .flatMap(subject -> subject)
        .orElse(null);
  }

  long count() {
    return jdbc.sql("SELECT count(*) FROM sanctioned_address").query(Long.class).single();
  }

  List<SanctionedAddress> page(byte[] after, int limit) {
    return jdbc.sql(
            "SELECT key, reason, listed_at, payload::jsonb ->> 'address', payload::jsonb ->> 'subject'"
                + " FROM sanctioned_address JOIN proposal ON proposal.id = sanctioned_address.proposal"
                + " WHERE key > ? ORDER BY key LIMIT ?")
        .params(after, limit)
        .query((row, n) ->
            new SanctionedAddress(
                HexFormat.of().formatHex(row.getBytes(1)),
                row.getString(4),
                row.getString(5),
                row.getString(2),
                row.getObject(3, OffsetDateTime.class).toInstant()))
        .list();
  }

  /** All keys ascending, 20 bytes each, concatenated. Streams only inside a transaction. */
  public byte[] sortedKeys() {
    ByteArrayOutputStream keys = new ByteArrayOutputStream();
    template.query(
        "SELECT key FROM sanctioned_address ORDER BY key",
        row -> {
          keys.writeBytes(row.getBytes(1));
        });
    return keys.toByteArray();
  }
}
