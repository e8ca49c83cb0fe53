package io.solidus.loadtest.chaos.fault;

import io.solidus.dev.processes.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** Another session locks a shard's tables, so that the shard's connection pool is exhausted. */
final class LockedTables implements Fault {

  private final PostgresServer server;
  private final String database;
  private final int shard;
  private @Nullable Connection holder;

  LockedTables(PostgresServer server, String database, int shard) {
    this.server = server;
    this.database = database;
    this.shard = shard;
  }

  @Override
  public void strike() {
    try {
      Connection connection = server.connect(database);
      holder = connection;
      connection.setAutoCommit(false);
      try (Statement lock = connection.createStatement()) {
        lock.execute(
            "LOCK TABLE shard_"
                + shard
                + ".cores, shard_"
                + shard
                + ".serials IN ACCESS EXCLUSIVE MODE");
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the tables cannot be locked", e);
    }
  }

  @Override
  public void heal() {
    try (Connection connection = holder) {
      if (connection != null) {
        connection.rollback();
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the lock cannot be released", e);
    }
  }
}
