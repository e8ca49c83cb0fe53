package io.solidus.platform.webhook;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The last message to each target about each kind, so there are never more rows than targets times
 * kinds. A change names the message that it follows: of several processes one makes it.
 */
final class WebhookStore {
  private static final String COLUMNS =
      " message_id, waiting, created_at, attempts, delivered FROM webhook_message";
  private static final String OF = " WHERE target = ? AND kind = ?";

  private final JdbcClient jdbc;

  WebhookStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * A message.
   *
   * @param waiting as it said; once it was delivered, how many waited since at the least
   * @param attempts so far
   */
  record Message(UUID id, long waiting, Instant createdAt, int attempts, boolean delivered) {}

  Optional<Message> last(String target, String kind) {
    return jdbc.sql("SELECT" + COLUMNS + OF)
        .params(target, kind)
        .query(WebhookStore::read)
        .optional();
  }

  /**
   * Makes a new message, to be sent at once.
   *
   * @param last the message before it; null for none
   */
  void renew(String target, String kind, @Nullable Message last, long waiting, Instant now) {
    OffsetDateTime at = time(now);
    if (last == null) {
      jdbc.sql(
              "INSERT INTO webhook_message (target, kind, message_id, waiting, created_at,"
                  + " owed_since, next_at) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING")
          .params(target, kind, UUID.randomUUID(), waiting, at, at, at)
          .update();
    } else {
      jdbc.sql(
              "UPDATE webhook_message SET message_id = ?, waiting = ?, created_at = ?,"
                  + " owed_since = CASE WHEN delivered THEN ? ELSE owed_since END, next_at = ?,"
                  + " attempts = 0, delivered = false"
                  + OF
                  + " AND message_id = ?")
          .params(UUID.randomUUID(), waiting, at, at, at, target, kind, last.id())
          .update();
    }
  }

  /** Notes that fewer wait than was said, so that the next one counts as more. */
  void lower(String target, String kind, Message last, long waiting) {
    jdbc.sql("UPDATE webhook_message SET waiting = ?" + OF + " AND message_id = ? AND delivered")
        .params(waiting, target, kind, last.id())
        .update();
  }

  /**
   * Takes the message if it is due, and says when it is due again should nothing come of it.
   *
   * @param last as it was read; of several processes one gets it
   */
  boolean take(String target, String kind, Message last, Instant now, Instant again) {
    return jdbc.sql(
                "UPDATE webhook_message SET attempts = attempts + 1, next_at = ?"
                    + OF
                    + " AND message_id = ? AND attempts = ? AND NOT delivered AND next_at <= ?")
            .params(time(again), target, kind, last.id(), last.attempts(), time(now))
            .update()
        > 0;
  }

  void delivered(String target, String kind, Message message) {
    jdbc.sql("UPDATE webhook_message SET delivered = true" + OF + " AND message_id = ?")
        .params(target, kind, message.id())
        .update();
  }

  /** Since when a target was to be told something and was not, after an attempt at least. */
  Optional<Instant> owedSince(String target) {
    return jdbc.sql(
            "SELECT owed_since FROM webhook_message WHERE target = ? AND NOT delivered"
                + " AND (attempts > 0 OR owed_since < created_at) ORDER BY owed_since LIMIT 1")
        .param(target)
        .query((row, n) -> row.getObject(1, OffsetDateTime.class).toInstant())
        .optional();
  }

  private static Message read(ResultSet row, int number) throws SQLException {
    return new Message(
        row.getObject(1, UUID.class),
        row.getLong(2),
        row.getObject(3, OffsetDateTime.class).toInstant(),
        row.getInt(4),
        row.getBoolean(5));
  }

  private static OffsetDateTime time(Instant at) {
    return OffsetDateTime.ofInstant(at, ZoneOffset.UTC);
  }
}
