package io.solidus.loadtest.chaos.oracle;

import com.google.protobuf.ByteString;
import io.solidus.dev.processes.AuthorityProcesses;
import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.Cluster;
import io.solidus.platform.outbox.Topics;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads the outboxes of authorities and the events on Kafka, with code that shares nothing with the
 * services.
 */
public final class Outboxes {

  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration READ = Duration.ofMinutes(1);

  /**
   * One shard's outbox.
   *
   * @param signedTotal the shard's count of signed cores, committed with the event that reports it
   */
  public record Outbox(int authority, int shard, List<Written> events, long signedTotal) {}

  /**
   * An event of an outbox.
   *
   * @param published whether it is marked as published
   */
  record Written(String eventId, ByteString payload, boolean published) {}

  private Outboxes() {}

  /**
   * Waits until every event is published.
   *
   * @throws IllegalStateException when some event is not published in time
   */
  public static void awaitDrained(Cluster cluster, Duration limit) {
    Await.until(
        "every event of the outboxes is published",
        limit,
        () -> {
          LockSupport.parkNanos(POLL.toNanos());
          return cluster.authorities().stream().allMatch(authority -> left(authority) == 0);
        });
  }

  /** The number of unpublished events, and of signatures that are in no event yet. */
  private static long left(AuthorityProcesses authority) {
    try (Connection connection = authority.database().connect(authority.databaseName());
        Statement statement = connection.createStatement()) {
      long left = 0;
      for (int shard : AuthorityStateReader.shards(statement)) {
        String schema = "shard_" + shard;
        try (ResultSet row =
            statement.executeQuery(
                "SELECT (SELECT count(*) FROM "
                    + schema
                    + ".outbox WHERE published_at IS NULL) + (SELECT count(*) FROM "
                    + schema
                    + ".uncounted_batches) + (SELECT count(*) FROM "
                    + schema
                    + ".uncounted)")) {
          row.next();
          left += row.getLong(1);
        }
      }
      return left;
    } catch (SQLException e) {
      throw new IllegalStateException(
          "the outboxes of authority " + authority.index() + " cannot be read", e);
    }
  }

  public static List<Outbox> read(AuthorityProcesses authority) {
    try (Connection connection = authority.database().connect(authority.databaseName());
        Statement statement = connection.createStatement()) {
      List<Outbox> outboxes = new ArrayList<>();
      for (int shard : AuthorityStateReader.shards(statement)) {
        outboxes.add(outbox(statement, authority.index(), shard));
      }
      return outboxes;
    } catch (SQLException e) {
      throw new IllegalStateException(
          "the outboxes of authority " + authority.index() + " cannot be read", e);
    }
  }

  /** Every record of the topic of counts, up to its present end. */
  public static List<ByteString> arrived(String bootstrapServers) {
    TopicPartition partition = new TopicPartition(Topics.SPENT, 0);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = Objects.requireNonNull(consumer.endOffsets(List.of(partition)).get(partition));
      List<ByteString> records = new ArrayList<>();
      long deadline = System.nanoTime() + READ.toNanos();
      while (consumer.position(partition) < end) {
        if (System.nanoTime() - deadline > 0) {
          throw new IllegalStateException("Kafka does not return all its records");
        }
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          records.add(ByteString.copyFrom(record.value()));
        }
      }
      return records;
    }
  }

  private static Outbox outbox(Statement statement, int authority, int shard) throws SQLException {
    String schema = "shard_" + shard;
    List<Written> events = new ArrayList<>();
    try (ResultSet rows =
        statement.executeQuery(
            "SELECT event_id, payload, published_at IS NOT NULL FROM "
                + schema
                + ".outbox ORDER BY sequence")) {
      while (rows.next()) {
        events.add(
            new Written(
                rows.getString(1), ByteString.copyFrom(rows.getBytes(2)), rows.getBoolean(3)));
      }
    }
    try (ResultSet row = statement.executeQuery("SELECT signed FROM " + schema + ".signed_total")) {
      row.next();
      return new Outbox(authority, shard, events, row.getLong(1));
    }
  }
}
