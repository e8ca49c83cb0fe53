package io.solidus.authority.shard.range;

import java.util.List;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The tables whose rows move with a range. The counters do not move: a signed core stays counted by
 * the shard that signed it, so the sum over the shards is right and no counter ever decreases.
 */
enum MovedTable {
  /** Rows are only inserted. */
  SERIALS("serials", "serial", List.of("INSERT")),
  /** A row gets its answer once; until then its request may be renewed. */
  CORES("cores", "lead_serial", List.of("INSERT", "UPDATE")),
  /** Rows are only inserted: answers of other epochs than the first. */
  LATER_ANSWERS("later_answers", "lead_serial", List.of("INSERT")),
  /** Rows are only inserted. Several may have one lead serial number. */
  RECOVERS("recovers", "lead_serial", List.of("INSERT")),
  /** Rows are only inserted. */
  RECOVER_ANSWERS("recover_answers", "lead_serial", List.of("INSERT"));

  private static final List<String> IDENTITY = List.of("core", "family", "lead_serial");

  private final String table;
  private final String key;

  @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
  private final List<String> events;

  MovedTable(String table, String key, List<String> events) {
    this.table = table;
    this.key = key;
    this.events = events;
  }

  String table() {
    return table;
  }

  String in(String schema) {
    return schema + "." + table;
  }

  /** The column with the serial number that decides to which range a row belongs. */
  String key() {
    return key;
  }

  List<String> events() {
    return events;
  }

  /** All columns, so that a column of a later release moves too. */
  List<String> columns(JdbcClient jdbc, String schema) {
    return jdbc.sql(
            """
            SELECT column_name FROM information_schema.columns
            WHERE table_schema = :schema AND table_name = :table ORDER BY ordinal_position
            """)
        .param("schema", schema)
        .param("table", table)
        .query(String.class)
        .list();
  }

  /** The clause for rows that exist already. */
  String onConflict(List<String> columns) {
    if (this != CORES) {
      return "ON CONFLICT DO NOTHING";
    }
    String set =
        columns.stream()
            .filter(c -> !IDENTITY.contains(c))
            .map(c -> c + " = excluded." + c)
            .collect(Collectors.joining(", "));
    return "ON CONFLICT (core) DO UPDATE SET " + set + " WHERE moved.reply IS NULL";
  }
}
