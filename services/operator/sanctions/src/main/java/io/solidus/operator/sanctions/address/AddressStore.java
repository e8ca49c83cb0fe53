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

  /** Keeps a listed address on the list for ever; false when it is kept already. */
  boolean replace(SanctionKey key, UUID proposal, Instant at) {
    return jdbc.sql(
                "INSERT INTO replaced_address (key, proposal, replaced_at) VALUES (?, ?, ?)"
                    + " ON CONFLICT DO NOTHING")
            .params(key.bytes(), proposal, OffsetDateTime.ofInstant(at, ZoneOffset.UTC))
            .update()
        == 1;
  }

  /** When two persons said that an address is replaced. */
  Optional<Instant> replacedAt(SanctionKey key) {
    return jdbc.sql("SELECT replaced_at FROM replaced_address WHERE key = ?")
        .param(key.bytes())
        .query(OffsetDateTime.class)
        .optional()
        .map(OffsetDateTime::toInstant);
  }

  /**
   * Since when the published list has an address that was replaced at a time, and for ever; empty
   * when the newest checkpoint has it not.
   */
  Optional<Instant> publishedSince(SanctionKey key, Instant replacedAt) {
    boolean published =
        jdbc.sql("SELECT position(? IN keys) > 0 FROM checkpoint ORDER BY version DESC LIMIT 1")
            .param(key.bytes())
            .query(Boolean.class)
            .optional()
            .orElse(false);
    if (!published) {
      return Optional.empty();
    }
    // an address that was listed before it was replaced needs no new checkpoint
    return Optional.of(
        jdbc.sql(
                "SELECT published_at FROM checkpoint WHERE published_at >= ? AND position(? IN keys) > 0"
                    + " ORDER BY version LIMIT 1")
            .params(OffsetDateTime.ofInstant(replacedAt, ZoneOffset.UTC), key.bytes())
            .query(OffsetDateTime.class)
            .optional()
            .map(OffsetDateTime::toInstant)
            .orElse(replacedAt));
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
            "SELECT key, reason, listed_at, payload::jsonb ->> 'address', payload::jsonb ->> 'subject',"
                + " EXISTS (SELECT FROM replaced_address r WHERE r.key = sanctioned_address.key)"
                + " FROM sanctioned_address JOIN proposal ON proposal.id = sanctioned_address.proposal"
                + " WHERE key > ? ORDER BY key LIMIT ?")
        .params(after, limit)
        .query((row, n) ->
            new SanctionedAddress(
                HexFormat.of().formatHex(row.getBytes(1)),
                row.getString(4),
                row.getString(5),
                row.getString(2),
                row.getObject(3, OffsetDateTime.class).toInstant(),
                row.getBoolean(6)))
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
