package io.solidus.authority.common;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Rejects a PostgreSQL whose settings may lose acknowledged commits: a lost reservation is a double
 * spend. Settings may differ between sessions (ALTER ROLE, ALTER DATABASE), so the check runs in
 * the session that writes.
 */
public final class PostgresSafety {

  private static final Set<String> ON = Set.of("on");
  private static final Set<String> OFF = Set.of("off");

  /**
   * The required settings. Of the less obvious ones, {@code data_sync_retry} continues after a
   * failed fsync; {@code session_replication_role} switches off the triggers that protect rows; a
   * {@code client_min_messages} of error hides the warning that a commit was not replicated.
   */
  private static final Map<String, Set<String>> REQUIRED =
      new TreeMap<>(
          Map.of(
              "fsync", ON,
              "full_page_writes", ON,
              "synchronous_commit", Set.of("on", "remote_apply"),
              "zero_damaged_pages", OFF,
              "ignore_checksum_failure", OFF,
              "ignore_invalid_pages", OFF,
              "data_sync_retry", OFF,
              "session_replication_role", Set.of("origin"),
              "client_min_messages",
                  Set.of(
                      "debug5", "debug4", "debug3", "debug2", "debug1", "log", "notice",
                      "warning")));

  private static final String STANDBY_NAMES = "synchronous_standby_names";

  /** {@code [FIRST | ANY] n (names)}; a bare list of names means one of them. */
  private static final Pattern COUNTED =
      Pattern.compile(
          "\\s*(?:(?:FIRST|ANY)\\s+)?(\\d+)\\s*\\(.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private static final String SETTINGS =
      "SELECT name, current_setting(name, true) FROM unnest(?) AS name";

  /** Unlogged tables in the schemas of this authority; a crash of the server empties them. */
  private static final String UNLOGGED =
      """
      SELECT count(*) FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relpersistence = 'u' AND n.nspname ~ '^(authority|issuer|signer|shard_[0-9]+)$'
      """;

  private PostgresSafety() {}

  /**
   * Checks a database without standbys.
   *
   * @throws UnsafeDatabaseException naming the setting
   */
  public static void require(DataSource database) {
    require(database, 0);
  }

  /**
   * Checks a session of a database.
   *
   * @param standbys the number of standbys that must have a commit before it counts; 0 for none
   * @throws UnsafeDatabaseException naming the setting
   */
  public static void require(DataSource database, int standbys) {
    new JdbcTemplate(database)
        .execute(
            (ConnectionCallback<Boolean>)
                session -> {
                  require(session, standbys);
                  return true;
                });
  }

  /** As {@link #require(DataSource, int)}, in exactly this session. */
  static void require(Connection session, int standbys) throws SQLException {
    Map<String, @Nullable String> values = new TreeMap<>();
    try (PreparedStatement settings = session.prepareStatement(SETTINGS)) {
      settings.setArray(1, session.createArrayOf("text", names()));
      try (ResultSet rs = settings.executeQuery()) {
        while (rs.next()) {
          values.put(rs.getString(1), rs.getString(2));
        }
      }
    }
    try (PreparedStatement unlogged = session.prepareStatement(UNLOGGED);
        ResultSet rs = unlogged.executeQuery()) {
      rs.next();
      requireSafe(values, rs.getLong(1), standbys);
    }
  }

  private static void requireSafe(
      Map<String, @Nullable String> values, long unlogged, int standbys) {
    REQUIRED.forEach((setting, safe) -> {
      String value = values.get(setting);
      // null: a server that does not know the setting cannot have it switched
      if (value != null && !safe.contains(value)) {
        throw new UnsafeDatabaseException(
            "PostgreSQL runs with "
                + setting
                + " = "
                + value
                + "; a validator needs one of "
                + safe);
      }
    });
    int waitedFor = standbysIn(values.get(STANDBY_NAMES));
    if (waitedFor < standbys) {
      throw new UnsafeDatabaseException(
          "PostgreSQL's "
              + STANDBY_NAMES
              + " waits for "
              + waitedFor
              + " standbys; this authority needs "
              + standbys);
    }
    if (unlogged > 0) {
      throw new UnsafeDatabaseException(
          "PostgreSQL holds "
              + unlogged
              + " unlogged tables of this authority; a crash empties them");
    }
  }

  /**
   * The number of standbys that a commit waits for under this value of synchronous_standby_names.
   */
  static int standbysIn(@Nullable String names) {
    if (names == null || names.isBlank()) {
      return 0;
    }
    Matcher counted = COUNTED.matcher(names);
    return counted.matches() ? Integer.parseInt(counted.group(1)) : 1;
  }

  private static String[] names() {
    List<String> names = new ArrayList<>(REQUIRED.keySet());
    names.add(STANDBY_NAMES);
    return names.toArray(String[]::new);
  }

  /** A setting of the database could lose acknowledged commits. */
  public static final class UnsafeDatabaseException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    UnsafeDatabaseException(String message) {
      super(message);
    }
  }
}
