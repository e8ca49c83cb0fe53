package io.solidus.operator.sanctions.screening;

import io.solidus.operator.sanctions.list.ListId;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Which customers imports would hit. The registration finds out: it alone knows them. */
@Repository
class ImportCustomers {
  private final JdbcClient jdbc;
  private final Clock clock;

  ImportCustomers(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /** An import that waits for its decision, and the version that its file becomes. */
  record Waiting(UUID id, ListId list, long version) {}

  /**
   * What the registration found.
   *
   * @param screened how many customers it compared with what the import adds and changes
   * @param hit how many of them match
   * @param cases the ids of the first of these
   */
  record Found(long screened, long hit, List<UUID> cases, Instant foundAt) {}

  /** Imports that wait and whose customers nobody has looked for. */
  List<Waiting> unscreened() {
    return jdbc.sql(
            WAITING
                + " AND NOT EXISTS (SELECT FROM import_customers c WHERE c.proposal = i.proposal)"
                + " ORDER BY p.sequence")
        .query((row, n) ->
            new Waiting(
                row.getObject(1, UUID.class),
                ListId.of(row.getString(2)).orElseThrow(),
                row.getLong(3)))
        .list();
  }

  /** An import, if it waits for its decision. */
  Optional<Waiting> waiting(UUID id) {
    return jdbc.sql(WAITING + " AND i.proposal = ?")
        .param(id)
        .query((row, n) ->
            new Waiting(
                row.getObject(1, UUID.class),
                ListId.of(row.getString(2)).orElseThrow(),
                row.getLong(3)))
        .optional();
  }

  private static final String WAITING =
      "SELECT i.proposal, i.list, i.version FROM list_import i JOIN proposal p ON p.id = i.proposal"
          + " WHERE p.state = 'pending' AND p.expires_at > now()";

  /** Keeps what was found first. */
  void keep(UUID id, long screened, long hit, List<UUID> cases) {
    jdbc.sql(
            "INSERT INTO import_customers (proposal, screened, hit, cases, found_at)"
                + " VALUES (?, ?, ?, ?::uuid[], ?) ON CONFLICT DO NOTHING")
        .params(
            id,
            screened,
            hit,
            cases.stream().map(UUID::toString).toArray(String[]::new),
            OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC))
        .update();
  }

  Optional<Found> found(UUID id) {
    return jdbc.sql(
            "SELECT screened, hit, cases, found_at FROM import_customers WHERE proposal = ?")
        .param(id)
        .query((row, n) ->
            new Found(
                row.getLong(1),
                row.getLong(2),
                Arrays.asList((UUID[]) row.getArray(3).getArray()),
                row.getObject(4, OffsetDateTime.class).toInstant()))
        .optional();
  }
}
