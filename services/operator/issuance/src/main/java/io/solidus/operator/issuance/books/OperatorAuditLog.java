package io.solidus.operator.issuance.books;

import java.time.Clock;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/** The audit log of operators' actions. It names objects by their ids and contains no account. */
@Service
public class OperatorAuditLog {
  private final JdbcClient jdbc;
  private final Clock clock;

  OperatorAuditLog(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * Adds an action of the operator {@code actor}, for example "mint approved", on the object with
   * the id {@code subject}.
   */
  public void add(String actor, String action, String subject) {
    jdbc.sql("INSERT INTO operator_event (at, actor, action, subject) VALUES (?, ?, ?, ?)")
        .params(OffsetDateTime.now(clock), actor, action, subject)
        .update();
  }

  /** Adds many actions of the operator {@code actor}, each with the id of its object. */
  public void addAll(String actor, List<Map.Entry<String, String>> actions) {
    jdbc.sql(
            "INSERT INTO operator_event (at, actor, action, subject) SELECT ?, ?, action, subject FROM unnest(?, ?)"
                + " WITH ORDINALITY e (action, subject, place) ORDER BY place")
        .params(
            OffsetDateTime.now(clock),
            actor,
            actions.stream().map(Map.Entry::getKey).toArray(String[]::new),
            actions.stream().map(Map.Entry::getValue).toArray(String[]::new))
        .update();
  }
}
