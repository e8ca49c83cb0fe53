package io.solidus.platform.database;

import java.util.ArrayList;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What a role may do beyond reading and writing rows. Triggers keep proposals, books and audit logs
 * as they are, so who can switch triggers off, replace their functions or show them other tables
 * can change all of it: an owner, a role that empties tables or adds triggers, and a role that
 * creates objects, such as temporary tables, which PostgreSQL finds before the real ones.
 */
final class RoleRights {
  private static final String OWNED =
      """
      SELECT DISTINCT 'acts as the owner of ' || what FROM (
          SELECT 'tables' AS what, relowner AS owner FROM pg_class
           WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')
          UNION ALL SELECT 'functions', proowner FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
          UNION ALL SELECT 'the schema', nspowner FROM pg_namespace WHERE oid = current_schema()::regnamespace
          UNION ALL SELECT 'the database', datdba FROM pg_database WHERE datname = current_database()
      ) owned WHERE pg_has_role(:role, owner, 'MEMBER')
      """;
  private static final String MORE =
      """
      SELECT 'is a superuser' FROM pg_roles WHERE rolname = :role AND rolsuper
      UNION ALL SELECT 'creates roles' FROM pg_roles WHERE rolname = :role AND rolcreaterole
      UNION ALL SELECT 'is a member of ' || rolname FROM pg_roles
       WHERE rolname IN ('pg_execute_server_program', 'pg_write_server_files') AND pg_has_role(:role, oid, 'MEMBER')
      UNION ALL SELECT DISTINCT 'may ' || lower(privilege) || ' tables' FROM pg_class, unnest(ARRAY['TRUNCATE', 'TRIGGER']) privilege
       WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
         AND has_table_privilege(:role, pg_class.oid, privilege)
      UNION ALL SELECT 'may create objects in the schema ' || nspname FROM pg_namespace
       WHERE nspname NOT LIKE 'pg\\_temp\\_%' AND nspname NOT LIKE 'pg\\_toast%' AND has_schema_privilege(:role, oid, 'CREATE')
      UNION ALL SELECT 'may create ' || what || ' in the database'
        FROM (VALUES ('CREATE', 'schemas'), ('TEMPORARY', 'temporary tables')) v (privilege, what)
       WHERE has_database_privilege(:role, current_database(), privilege)
      """;
  private static final String PARAMETER =
      "SELECT 'may set session_replication_role' WHERE has_parameter_privilege(?,"
          + " 'session_replication_role', 'SET')";

  /** The first version in which a role can be granted a parameter. */
  private static final int PARAMETERS_SINCE = 150_000;

  private RoleRights() {}

  /** In words, without the subject: each right that a service's role must not have. */
  static List<String> tooMany(JdbcClient jdbc, String role) {
    List<String> found = new ArrayList<>();
    for (String query : List.of(OWNED, MORE)) {
      found.addAll(jdbc.sql(query).param("role", role).query(String.class).list());
    }
    int version =
        jdbc.sql("SELECT current_setting('server_version_num')::int").query(Integer.class).single();
    if (version >= PARAMETERS_SINCE) {
      found.addAll(jdbc.sql(PARAMETER).param(role).query(String.class).list());
    }
    return found;
  }
}
