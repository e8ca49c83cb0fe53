package io.solidus.authority.common;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Connections that act as the role that owns the database, where their own role is a member of it.
 * A signer with a role of its own creates with them what belongs to all processes of its authority.
 */
final class OwnerConnections extends DelegatingDataSource {

  private static final String BECOME_OWNER =
      """
      SELECT pg_catalog.set_config('role', pg_catalog.pg_get_userbyid(datdba)::text, false)
      FROM pg_catalog.pg_database
      WHERE datname = pg_catalog.current_database() AND pg_catalog.pg_has_role(datdba, 'MEMBER')
      """;

  OwnerConnections(DataSource database) {
    super(database);
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection connection = super.getConnection();
    try (Statement statement = connection.createStatement()) {
      statement.execute(BECOME_OWNER);
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
    return (Connection)
        Proxy.newProxyInstance(
            OwnerConnections.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                resetRole(connection);
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            });
  }

  /** A pool gives the session to others next. */
  private static void resetRole(Connection connection) throws SQLException {
    if (connection.isClosed()) {
      return;
    }
    if (!connection.getAutoCommit()) {
      connection.rollback();
      connection.setAutoCommit(true);
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute("RESET ROLE");
    }
  }
}
