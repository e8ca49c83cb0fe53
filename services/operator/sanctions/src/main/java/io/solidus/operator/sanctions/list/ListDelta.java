package io.solidus.operator.sanctions.list;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * The difference between two versions of a list, by the publisher's references. A reference with
 * several entries, as in a list of alternate names, is compared as a whole.
 */
@Repository
class ListDelta {
  /** Any column that an entry gets later is compared too. */
  private static final String COMPARED =
      """
      WITH entry AS (
        SELECT version, reference, (to_jsonb(e) - 'list' - 'version' - 'ordinal')::text AS content
        FROM listed_entry e WHERE list = :list AND version IN (:before, :after)),
      former AS (
        SELECT reference, string_agg(content, E'\\n' ORDER BY content) AS content
        FROM entry WHERE version = :before GROUP BY reference),
      latter AS (
        SELECT reference, string_agg(content, E'\\n' ORDER BY content) AS content
        FROM entry WHERE version = :after GROUP BY reference)
      """;

  private static final String COUNTS =
      COMPARED
          + """
          SELECT count(former.reference),
            count(*) FILTER (WHERE former.reference IS NULL),
            count(*) FILTER (WHERE latter.reference IS NULL),
            count(*) FILTER (WHERE former.content <> latter.content)
          FROM former FULL JOIN latter USING (reference)
          """;

  private static final String PAGE =
      COMPARED
          + """
          SELECT reference,
            CASE WHEN former.reference IS NULL THEN 'added'
              WHEN latter.reference IS NULL THEN 'removed' ELSE 'changed' END
          FROM former FULL JOIN latter USING (reference)
          WHERE former.content IS DISTINCT FROM latter.content
            AND reference COLLATE "C" > :cursor
          ORDER BY reference COLLATE "C" LIMIT :limit
          """;

  private static final String ENTRIES =
      "SELECT version, "
          + ListStore.ENTRY_COLUMNS
          + " FROM listed_entry WHERE list = :list AND version IN (:before, :after)"
          + " AND reference IN (:references) ORDER BY version, ordinal";

  private final JdbcClient jdbc;

  ListDelta(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * How many references differ.
   *
   * @param before how many references the former version has
   */
  record Counts(int before, int added, int removed, int changed) {}

  /**
   * One reference that differs.
   *
   * @param change added, removed or changed
   * @param before its entries in the version in force; empty when it is added
   * @param after its entries in the imported file; empty when it is removed
   */
  public record Change(
      String reference, String change, List<ListedEntry> before, List<ListedEntry> after) {}

  Counts count(ListId list, long before, long after) {
    return jdbc.sql(COUNTS)
        .param("list", list.id())
        .param("before", before)
        .param("after", after)
        .query((row, n) -> new Counts(row.getInt(1), row.getInt(2), row.getInt(3), row.getInt(4)))
        .single();
  }

  /** Differences in the order of their references, after {@code cursor}. */
  List<Change> page(ListId list, long before, long after, String cursor, int limit) {
    Map<String, Change> page = new TreeMap<>();
    jdbc.sql(PAGE)
        .param("list", list.id())
        .param("before", before)
        .param("after", after)
        .param("cursor", cursor)
        .param("limit", limit)
        .query((ResultSet row) -> {
          String reference = row.getString(1);
          page.put(
              reference,
              new Change(reference, row.getString(2), new ArrayList<>(), new ArrayList<>()));
        });
    if (!page.isEmpty()) {
      jdbc.sql(ENTRIES)
          .param("list", list.id())
          .param("before", before)
          .param("after", after)
          .param("references", page.keySet())
          .query((ResultSet row) -> add(page, row, before));
    }
    return List.copyOf(page.values());
  }

  private static void add(Map<String, Change> page, ResultSet row, long before)
      throws SQLException {
    ListedEntry entry = ListStore.readEntry(row, 1);
    Change change = Objects.requireNonNull(page.get(entry.reference()));
    (row.getLong(1) == before ? change.before() : change.after()).add(entry);
  }
}
