package io.solidus.platform.database;

import java.util.Map;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A PostgreSQL that keeps what it acknowledged. A lost commit is a payout that is made twice, a
 * person who registers twice, a version that is signed twice. An authority's processes check more,
 * and each session.
 */
final class DurableDatabase {
  private static final Map<String, Set<String>> SAFE =
      Map.of(
          "fsync", Set.of("on"),
          "full_page_writes", Set.of("on"),
          "synchronous_commit", Set.of("on", "remote_apply"));

  /**
   * Requires safe settings in a session of the service.
   *
   * @throws IllegalStateException naming the setting
   */
  DurableDatabase(JdbcClient jdbc) {
    SAFE.forEach((setting, values) -> {
      String value =
          jdbc.sql("SELECT current_setting(?)").param(setting).query(String.class).single();
      if (!values.contains(value)) {
        throw new IllegalStateException(
            "PostgreSQL runs with "
                + setting
                + " = "
                + value
                + "; this service needs one of "
                + values);
      }
    });
  }
}
