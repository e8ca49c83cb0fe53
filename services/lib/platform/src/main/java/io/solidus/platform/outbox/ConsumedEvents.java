package io.solidus.platform.outbox;

import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Remembers which events were taken in, in the transaction of their effect. */
public class ConsumedEvents {
  private final JdbcClient jdbc;

  public ConsumedEvents(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** True the first time an event id is seen; false for every repetition. */
  @Transactional(propagation = Propagation.MANDATORY)
  public boolean first(String eventId) {
    return jdbc.sql("INSERT INTO consumed_event (event_id) VALUES (?) ON CONFLICT DO NOTHING")
            .param(UUID.fromString(eventId))
            .update()
        == 1;
  }
}
