package io.solidus.operator.issuance.books;

import java.time.Clock;
import java.time.OffsetDateTime;
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
}
