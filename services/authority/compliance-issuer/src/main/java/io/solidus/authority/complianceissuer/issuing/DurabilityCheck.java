package io.solidus.authority.complianceissuer.issuing;

import java.util.Map;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Refuses a PostgreSQL that can lose committed transactions. A lost reservation lets a person
 * register twice.
 */
final class DurabilityCheck {
  private static final Map<String, Set<String>> SAFE =
      Map.of(
          "fsync", Set.of("on"),
          "full_page_writes", Set.of("on"),
          "synchronous_commit", Set.of("on", "remote_apply"));

  private DurabilityCheck() {}

  /**
   * Requires safe settings.
   *
   * @throws IllegalStateException naming the setting
   */
  static void require(JdbcClient jdbc) {
    SAFE.forEach((setting, values) -> {
      String value =
          jdbc.sql("SELECT current_setting(?)").param(setting).query(String.class).single();
      if (!values.contains(value)) {
        throw new IllegalStateException(
            "PostgreSQL runs with "
                + setting
                + " = "
                + value
                + "; reservations need one of "
                + values);
      }
    });
  }
}
