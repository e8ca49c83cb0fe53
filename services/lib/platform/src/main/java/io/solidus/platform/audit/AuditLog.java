package io.solidus.platform.audit;

import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Writes events of an audit log. They name objects by their ids and contain nothing personal. */
public final class AuditLog {
  private final JdbcClient jdbc;
  private final String insert;
  private final Clock clock;

  AuditLog(JdbcClient jdbc, AuditProperties properties, Clock clock) {
    this.jdbc = jdbc;
    this.insert =
        "INSERT INTO "
            + properties.table()
            + " (at, actor, action, "
            + properties.objectColumn()
            + ") VALUES (?, ?, ?, ?)";
    this.clock = clock;
  }

  /**
   * Adds an event, in the transaction of what it tells of where there is one.
   *
   * @param actor the subject of the token, or the part of the service
   * @param kind for example "list-import proposed"
   * @param object an id
   */
  public void add(String actor, String kind, String object) {
    jdbc.sql(insert)
        .params(OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC), actor, kind, object)
        .update();
  }
}
