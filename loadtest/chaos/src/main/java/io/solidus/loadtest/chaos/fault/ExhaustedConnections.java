package io.solidus.loadtest.chaos.fault;

import io.solidus.dev.processes.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Another client takes every connection that the server allows, after those of the authority were
 * terminated.
 */
final class ExhaustedConnections implements Fault {

  private static final int MORE_THAN_THERE_ARE = 1000;
  private static final String TOO_MANY = "53300";

  private final PostgresServer server;
  private final String database;
  private final List<Connection> taken = new ArrayList<>();

  ExhaustedConnections(PostgresServer server, String database) {
    this.server = server;
    this.database = database;
  }

  @Override
  public void strike() {
    try {
      takeAll();
      breakOthers();
      takeAll();
    } catch (SQLException e) {
      throw new IllegalStateException("the connections cannot be taken", e);
    }
  }

  @Override
  public void heal() {
    for (Connection connection : taken) {
      try {
        connection.close();
      } catch (SQLException e) {
        throw new IllegalStateException("a connection cannot be given back", e);
      }
    }
    taken.clear();
  }

  private void takeAll() throws SQLException {
    for (int i = 0; i < MORE_THAN_THERE_ARE; i++) {
      try {
        taken.add(server.connect(database));
      } catch (SQLException e) {
        if (TOO_MANY.equals(e.getSQLState())) {
          return;
        }
        throw e;
      }
    }
    throw new IllegalStateException("the server has no limit of connections");
  }

  private void breakOthers() throws SQLException {
    StringBuilder mine = new StringBuilder("0");
    for (Connection connection : taken) {
      mine.append(',').append(processOf(connection));
    }
    try (Statement statement = taken.getFirst().createStatement()) {
      statement.execute(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid NOT IN ("
              + mine
              + ")");
    }
  }

  private static int processOf(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      return row.getInt(1);
    }
  }
}
