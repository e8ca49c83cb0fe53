package io.solidus.platform.database;

import io.solidus.platform.production.Production;
import io.solidus.platform.production.ProductionCode;
import io.solidus.platform.production.ProductionRefusedException;
import java.util.List;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * In production a service with an audit log works as a role that owns nothing: otherwise its own
 * password would be enough to change what two persons decided.
 */
public final class OwnerOfTables {

  /**
   * Asks PostgreSQL for the rights of the session's role.
   *
   * @throws ProductionRefusedException OWNED_TABLES, in production
   */
  public OwnerOfTables(JdbcClient jdbc, Environment environment) {
    if (!Production.isOn(environment)) {
      return;
    }
    String role = jdbc.sql("SELECT session_user::text").query(String.class).single();
    List<String> found = RoleRights.tooMany(jdbc, role);
    if (!found.isEmpty()) {
      throw new ProductionRefusedException(
          ProductionCode.OWNED_TABLES,
          "the role "
              + role
              + " "
              + String.join(", ", found)
              + "; spring.datasource.username must be a role that owns nothing, and Migrations runs"
              + " as the owner");
    }
  }
}
