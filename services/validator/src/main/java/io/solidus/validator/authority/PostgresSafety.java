package io.solidus.validator.authority;

import java.util.Map;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Refuses a PostgreSQL that may forget what it acknowledged: a forgotten reservation is a double spend. */
public final class PostgresSafety {

  private static final Map<String, Set<String>> REQUIRED =
      Map.of(
          "fsync", Set.of("on"),
          "full_page_writes", Set.of("on"),
          "synchronous_commit", Set.of("on", "remote_apply"));

  private PostgresSafety() {}

  /** @throws UnsafeDatabaseException naming the setting */
  public static void require(JdbcClient jdbc) {
    REQUIRED.forEach(
        (setting, safe) -> {
          String value = jdbc.sql("SELECT current_setting(:name)").param("name", setting).query(String.class).single();
          if (!safe.contains(value)) {
            throw new UnsafeDatabaseException(
                "PostgreSQL runs with " + setting + " = " + value + "; a validator needs one of " + safe);
          }
        });
  }

  /** The database's configuration could lose acknowledged commits. */
  public static final class UnsafeDatabaseException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    UnsafeDatabaseException(String message) {
      super(message);
    }
  }
}
