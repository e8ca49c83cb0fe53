package io.solidus.platform.outbox;

import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Stores the ids of consumed events, in the transaction of their effect. */
public class ConsumedEvents {
  private final JdbcClient jdbc;

  public ConsumedEvents(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Returns true for the first delivery of an event, and false for every repetition. */
  @Transactional(propagation = Propagation.MANDATORY)
  public boolean first(String eventId) {
    return jdbc.sql("INSERT INTO consumed_event (event_id) VALUES (?) ON CONFLICT DO NOTHING")
            .param(UUID.fromString(eventId))
            .update()
        == 1;
  }
}
