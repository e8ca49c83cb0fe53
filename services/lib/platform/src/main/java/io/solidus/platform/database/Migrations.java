package io.solidus.platform.database;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Brings a service's tables up to date as their owner, lets the service's own role work on them,
 * and ends. The service then starts with {@code spring.flyway.enabled=false} as that role, which
 * can neither drop triggers nor empty tables.
 *
 * <p>{@code spring.datasource.username} and {@code password} are the owner's, {@code
 * solidus.migrations.role} names the service's role.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration({DataSourceAutoConfiguration.class, FlywayAutoConfiguration.class})
public class Migrations {
  private static final Logger log = LoggerFactory.getLogger(Migrations.class);
  private static final String SERVICE = "--solidus.migrations.service=";

  /** Any number. Of two processes that migrate, one grants: PostgreSQL fails a second grant. */
  private static final long LOCK = 0x0111;

  /** Takes away what may have been granted by hand, and what everybody has by default. */
  private static final String REVOKE =
      """
      SELECT statement FROM (
          SELECT 1 AS step, format('REVOKE ALL ON %I FROM PUBLIC, %I', relname, :role) AS statement
            FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v')
             AND pg_has_role(relowner, 'USAGE')
          UNION ALL SELECT 2, format('GRANT USAGE ON SCHEMA %I TO %I', current_schema(), :role)
          UNION ALL SELECT 3, format('GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA %I TO %I', current_schema(), :role)
          UNION ALL SELECT 4, format('REVOKE CREATE ON SCHEMA %I FROM PUBLIC, %I', nspname, :role)
            FROM pg_namespace WHERE nspname !~ '^pg_' AND pg_has_role(nspowner, 'USAGE')
          UNION ALL SELECT 5, format('REVOKE CREATE, TEMPORARY ON DATABASE %I FROM PUBLIC, %I', datname, :role)
            FROM pg_database WHERE datname = current_database() AND pg_has_role(datdba, 'USAGE')
      ) statements ORDER BY step
      """;

  /**
   * What a trigger refuses for every row is not granted either. Not so for two tables, which the
   * service locks against other writers: PostgreSQL asks for UPDATE then.
   */
  private static final String GRANT =
      """
      SELECT format('GRANT %s ON %I TO %I',
          CASE WHEN relname = 'flyway_schema_history' THEN 'SELECT' ELSE
              'SELECT, INSERT' || CASE WHEN refused.updates AND relname NOT IN ('checkpoint', 'policy') THEN '' ELSE ', UPDATE' END
              || CASE WHEN refused.deletes THEN '' ELSE ', DELETE' END END, relname, :role)
        FROM pg_class, LATERAL (
            SELECT coalesce(bool_or(tgtype & 16 <> 0), false) AS updates, coalesce(bool_or(tgtype & 8 <> 0), false) AS deletes
              FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid
             WHERE tgrelid = pg_class.oid AND proname IN ('refuse_change', 'refuse_event_change')
               AND tgtype & 2 <> 0 AND tgqual IS NULL AND tgattr::text = '') refused
       WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v') AND pg_has_role(relowner, 'USAGE')
       ORDER BY relname
      """;

  /**
   * Migrates the tables of a service.
   *
   * @param args properties as for the service, and {@code --solidus.migrations.service=NAME}
   * @throws IllegalArgumentException when no service is named
   */
  public static void main(String[] args) {
    String service =
        List.of(args).stream()
            .filter(arg -> arg.startsWith(SERVICE))
            .map(arg -> arg.substring(SERVICE.length()))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException(SERVICE + "NAME is missing"));
    migrate(service, Map.of(), args);
  }

  /**
   * Migrates the tables of a service.
   *
   * @param properties override {@code args} and the service's configuration file
   * @throws IllegalStateException when the service's role may do more than it needs, saying what
   */
  public static void migrate(String service, Map<String, Object> properties, String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    properties.forEach((key, value) -> all.add("--" + key + "=" + value));
    all.add("--spring.flyway.enabled=true");
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(Migrations.class)
            .web(WebApplicationType.NONE)
            .bannerMode(Banner.Mode.OFF)
            .properties(
                "spring.config.name=solidus-" + service,
                "spring.application.name=solidus-" + service + "-migrations")
            .run(all.toArray(String[]::new))) {
      String role = context.getEnvironment().getRequiredProperty("solidus.migrations.role");
      grant(context.getBean(DataSource.class), role);
      log.info("the tables of {} are up to date, and {} works on them", service, role);
    }
  }

  private static void grant(DataSource source, String role) {
    JdbcClient jdbc = JdbcClient.create(source);
    new TransactionTemplate(new JdbcTransactionManager(source))
        .executeWithoutResult(status -> {
          jdbc.sql("SELECT pg_advisory_xact_lock(?)").param(LOCK).query((row, n) -> true).single();
          for (String statements : List.of(REVOKE, GRANT)) {
            jdbc.sql(statements)
                .param("role", role)
                .query(String.class)
                .list()
                .forEach(statement -> jdbc.sql(statement).update());
          }
          List<String> found = RoleRights.tooMany(jdbc, role);
          if (!found.isEmpty()) {
            throw new IllegalStateException(
                "the role " + role + " " + String.join(", ", found) + "; nothing would be gained");
          }
        });
  }
}
