package io.solidus.edge.gateway.mailbox;

import io.solidus.platform.time.RepeatedJob;
import io.solidus.protocol.Spec;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.Member;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Which messages were posted with the one-time tag of a payment request. The messages are in their
 * buckets as all others are; what is here is a shorter way to them.
 *
 * <p>Whoever saw a request knows its tag and can post with it. So a tag has a bound, above which
 * its messages are in their bucket only, and the answer says so: its payee then reads the bucket.
 * Junk costs its sender a post each and hides nothing.
 */
@Component
@Spec("F-70")
class TaggedMail implements SmartLifecycle {
  /** Messages that are found by one tag. */
  static final int MAX_OF_TAG = 64;

  /**
   * Messages that are found by tags, all together. The oldest ones go first: a flood shortens how
   * long a tag counts, and no tag is refused.
   */
  private static final int MAX_ROWS = 1_000_000;

  /** For which a message is found by its tag, in hours. */
  private static final int HOURS = 24;

  private static final Duration EXPIRE_EVERY = Duration.ofMinutes(10);
  private static final int EXPIRE_BATCH = 1000;

  private final JdbcClient jdbc;
  private final RepeatedJob expiry =
      new RepeatedJob("mailbox-tags", EXPIRE_EVERY, this::deleteExpired);

  /**
   * The messages of a tag, oldest first.
   *
   * @param full whether messages with this tag may be in their bucket only
   */
  record Found(@Member(max = MAX_OF_TAG) List<MailboxStore.Entry> entries, boolean full) {}

  TaggedMail(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Stores the tags of messages, up to the bound of each tag, in the transaction of the messages.
   * The mailbox's lock is held, so nobody else counts meanwhile.
   *
   * @param sequences of the messages, in the order of the tags
   */
  void add(List<MailTag> tags, List<Long> sequences) {
    if (tags.isEmpty()) {
      return;
    }
    byte[][] bytes = tags.stream().map(MailTag::bytes).toArray(byte[][]::new);
    int unused =
        jdbc.sql(
                "INSERT INTO mailbox_tag (tag, sequence) SELECT tag, sequence FROM (SELECT tag,"
                    + " sequence, row_number() OVER (PARTITION BY tag ORDER BY sequence) AS n"
                    + " FROM unnest(?::bytea[], ?::bigint[]) AS t (tag, sequence)) AS fresh"
                    + " WHERE n + (SELECT count(*) FROM mailbox_tag AS known"
                    + " WHERE known.tag = fresh.tag) <= ?")
            .params(bytes, sequences.toArray(Long[]::new), MAX_OF_TAG)
            .update();
  }

  /** The messages with this tag; none for a tag that nobody has used. */
  Found find(MailTag tag) {
    List<MailboxStore.Entry> entries =
        jdbc.sql(
                "SELECT sequence, blob FROM mailbox_tag JOIN mailbox USING (sequence)"
                    + " WHERE tag = ? ORDER BY sequence LIMIT ?")
            .params(tag.bytes(), MAX_OF_TAG)
            .query((set, n) ->
                new MailboxStore.Entry(set.getLong(1), Base64Url.encode(set.getBytes(2))))
            .list();
    return new Found(entries, entries.size() == MAX_OF_TAG);
  }

  /** The number of the newest message with each of these tags; none for a tag without one. */
  Map<MailTag, Long> newest(Collection<MailTag> tags) {
    Map<MailTag, Long> newest = new HashMap<>();
    byte[][] bytes = tags.stream().map(MailTag::bytes).toArray(byte[][]::new);
    jdbc.sql(
            "SELECT wanted, (SELECT max(sequence) FROM mailbox_tag WHERE tag = wanted)"
                + " FROM unnest(?::bytea[]) AS t (wanted)")
        .param(bytes)
        .query(set -> {
          long sequence = set.getLong(2);
          if (!set.wasNull()) {
            newest.put(MailTag.of(set.getBytes(1)), sequence);
          }
        });
    return newest;
  }

  private void deleteExpired() {
    deleteExpired(MAX_ROWS);
  }

  /** Deletes what is too old or too much, in small transactions of their own. */
  void deleteExpired(int maxRows) {
    long tooMany =
        jdbc.sql(
                "SELECT coalesce((SELECT sequence FROM mailbox_tag ORDER BY sequence DESC"
                    + " OFFSET ? LIMIT 1), 0)")
            .param(maxRows)
            .query(Long.class)
            .single();
    int deleted = EXPIRE_BATCH;
    while (deleted == EXPIRE_BATCH) {
      deleted =
          jdbc.sql(
                  "DELETE FROM mailbox_tag WHERE sequence = ANY (ARRAY(SELECT sequence"
                      + " FROM mailbox_tag ORDER BY sequence LIMIT ?))"
                      + " AND (sequence <= ? OR posted_at < now() - make_interval(hours => ?))")
              .params(EXPIRE_BATCH, tooMany, HOURS)
              .update();
    }
  }

  @Override
  public void start() {
    expiry.start();
  }

  @Override
  public void stop() {
    expiry.stop();
  }

  @Override
  public boolean isRunning() {
    return expiry.isRunning();
  }
}
