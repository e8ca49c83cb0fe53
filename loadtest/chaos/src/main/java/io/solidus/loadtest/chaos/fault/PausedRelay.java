package io.solidus.loadtest.chaos.fault;

import io.solidus.dev.processes.Await;
import io.solidus.dev.processes.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * Pauses a shard's outbox relay between Kafka's acknowledgement and the mark that an event is
 * published, so that a test can kill it there. A trigger makes the update wait for an advisory lock
 * that this class holds. After the kill the event is sent again under the same id.
 */
final class PausedRelay implements AutoCloseable {

  private static final Duration REACHED = Duration.ofMinutes(1);
  private static final long LOCK = 0x50c1d05;

  private final Connection holder;
  private final String schema;

  /** Installs the trigger: the next event of this shard reaches Kafka and is not marked. */
  PausedRelay(PostgresServer server, String database, int shard) {
    this.schema = "shard_" + shard;
    try {
      this.holder = server.connect(database);
      try (Statement statement = holder.createStatement()) {
        statement.execute("SELECT pg_advisory_lock(" + LOCK + ")");
        statement.execute(
            "CREATE OR REPLACE FUNCTION "
                + schema
                + ".held_back() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN PERFORM pg_advisory_xact_lock_shared("
                + LOCK
                + "); RETURN NEW; END $$");
        statement.execute(
            "CREATE OR REPLACE TRIGGER held_back BEFORE UPDATE ON "
                + schema
                + ".outbox FOR EACH ROW EXECUTE FUNCTION "
                + schema
                + ".held_back()");
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the relay cannot be paused", e);
    }
  }

  /** Waits until Kafka has an event that is not marked. */
  void awaitPublished() {
    Await.until("a relay is about to mark an event as published", REACHED, this::waits);
  }

  /** Removes the trigger after the relay was killed. */
  @Override
  public void close() {
    try (Connection connection = holder;
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_advisory_unlock(" + LOCK + ")");
      statement.execute("DROP TRIGGER held_back ON " + schema + ".outbox");
    } catch (SQLException e) {
      throw new IllegalStateException("the relay cannot be resumed", e);
    }
  }

  private boolean waits() {
    try (Statement statement = holder.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND mode = 'ShareLock' AND objid = "
                    + LOCK
                    + " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())")) {
      return row.next() && row.getLong(1) > 0;
    } catch (SQLException e) {
      throw new IllegalStateException("locks cannot be read", e);
    }
  }
}
