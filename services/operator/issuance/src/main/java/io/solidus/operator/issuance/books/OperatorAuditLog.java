package io.solidus.operator.issuance.books;

import java.time.Clock;
import java.time.OffsetDateTime;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/** What operators did, for auditors. It names things by their ids and holds no account. */
@Service
public class OperatorAuditLog {
  private final JdbcClient jdbc;
  private final Clock clock;

  OperatorAuditLog(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * @param actor the token's subject
   * @param action e.g. "mint approved"
   * @param subject the id of what it was done to
   */
  public void add(String actor, String action, String subject) {
    jdbc.sql("INSERT INTO operator_event (at, actor, action, subject) VALUES (?, ?, ?, ?)")
        .params(OffsetDateTime.now(clock), actor, action, subject)
        .update();
  }
}
