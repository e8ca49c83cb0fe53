package io.solidus.operator.issuance.statement;

import io.solidus.operator.issuance.message.MessageType;
import io.solidus.platform.security.Operator;
import io.solidus.protocol.Digest32;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of messages that were handed in. */
@Repository
class Uploads {
  /** Who decides what nobody decided in time. */
  static final String TIME = Operator.SYSTEM + "time";

  private static final String SELECT =
      "SELECT upload_id, type, message_id, digest, preview, status, proposed_by, proposed_at, decided_by, decided_at FROM bank_upload";

  /** A preview is some MiB. */
  private static final String WITHOUT_PREVIEW = SELECT.replace("preview", "''");

  private final JdbcClient jdbc;

  Uploads(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * A message that was handed in.
   *
   * @param preview JSON of an {@link Effects}; empty in a list
   * @param status pending, approved, refused or expired
   */
  record Upload(
      long uploadId,
      String type,
      String messageId,
      Digest32 digest,
      String preview,
      String status,
      String proposedBy,
      Instant proposedAt,
      @Nullable String decidedBy,
      @Nullable Instant decidedAt) {

    /** SHA-256 of the preview: of all its rows, also those that no page has shown. */
    Digest32 previewDigest() {
      return Digest32.sha256(preview.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
      return "Upload[" + uploadId + "]";
    }
  }

  long insert(
      MessageType type,
      String messageId,
      Digest32 digest,
      byte[] content,
      String preview,
      String operator,
      Instant at) {
    return jdbc.sql(
            "INSERT INTO bank_upload (type, message_id, digest, content, preview, proposed_by, proposed_at)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING upload_id")
        .params(type.id(), messageId, digest.bytes(), content, preview, operator, utc(at))
        .query(Long.class)
        .single();
  }

  Optional<Upload> find(long uploadId) {
    return jdbc.sql(SELECT + " WHERE upload_id = ?")
        .param(uploadId)
        .query(Uploads::read)
        .optional();
  }

  Optional<Upload> lock(long uploadId) {
    return jdbc.sql(SELECT + " WHERE upload_id = ? FOR NO KEY UPDATE")
        .param(uploadId)
        .query(Uploads::read)
        .optional();
  }

  Optional<Upload> pending(Digest32 digest) {
    return jdbc.sql(SELECT + " WHERE digest = ? AND status = 'pending'")
        .param(digest.bytes())
        .query(Uploads::read)
        .optional();
  }

  long countPending() {
    return jdbc.sql("SELECT count(*) FROM bank_upload WHERE status = 'pending'")
        .query(Long.class)
        .single();
  }

  /** The sealed message; empty when it is decided. */
  Optional<byte[]> content(long uploadId) {
    return jdbc.sql("SELECT content FROM bank_upload WHERE upload_id = ? AND content IS NOT NULL")
        .param(uploadId)
        .query((row, n) -> row.getBytes(1))
        .optional();
  }

  List<Upload> page(@Nullable String status, long cursor, int limit) {
    return jdbc.sql(
            WITHOUT_PREVIEW
                + " WHERE upload_id > :cursor AND (:status::text IS NULL OR status = :status)"
                + " ORDER BY upload_id LIMIT :limit")
        .param("cursor", cursor)
        .param("status", status, Types.VARCHAR)
        .param("limit", limit)
        .query(Uploads::read)
        .list();
  }

  void preview(long uploadId, String preview) {
    jdbc.sql("UPDATE bank_upload SET preview = ? WHERE upload_id = ?")
        .params(preview, uploadId)
        .update();
  }

  void decide(long uploadId, String status, String by, Instant at) {
    jdbc.sql(
            "UPDATE bank_upload SET status = ?, decided_by = ?, decided_at = ?, content = NULL WHERE upload_id = ?")
        .params(status, by, utc(at), uploadId)
        .update();
  }

  /** Lets messages expire that nobody decided. */
  void expire(Instant before, Instant at) {
    jdbc.sql(
            "UPDATE bank_upload SET status = 'expired', decided_by = ?, decided_at = ?, content = NULL"
                + " WHERE status = 'pending' AND proposed_at < ?")
        .params(TIME, utc(at), utc(before))
        .update();
  }

  private static Upload read(ResultSet row, int number) throws SQLException {
    OffsetDateTime decided = row.getObject(10, OffsetDateTime.class);
    return new Upload(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        new Digest32(row.getBytes(4)),
        row.getString(5),
        row.getString(6),
        row.getString(7),
        row.getObject(8, OffsetDateTime.class).toInstant(),
        row.getString(9),
        decided == null ? null : decided.toInstant());
  }

  private static OffsetDateTime utc(Instant at) {
    return OffsetDateTime.ofInstant(at, ZoneOffset.UTC);
  }
}
