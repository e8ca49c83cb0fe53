package io.solidus.edge.gateway.tokens;

import io.solidus.platform.time.RepeatedJob;
import io.solidus.protocol.Digest32;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * The tokens that were spent at this gateway and its replicas, as long as their day counts. The
 * issuer bounds how many there are: a batch for each registered wallet and day.
 */
@Component
class SpentTokens implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(SpentTokens.class);
  private static final Duration EXPIRE_EVERY = Duration.ofMinutes(10);

  /** Tokens that one statement deletes. */
  private static final int EXPIRE_BATCH = 1000;

  private final JdbcClient jdbc;
  private final Clock clock;
  private final RepeatedJob expiry =
      new RepeatedJob("token-expiry", EXPIRE_EVERY, this::deleteExpired);

  SpentTokens(JdbcClient jdbc, Clock clock) {
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /**
   * Spends a token.
   *
   * @param day of its key
   * @return false when it was spent before, and when the database cannot say so
   */
  boolean spend(long day, Digest32 nonce) {
    try {
      return jdbc.sql("INSERT INTO spent_token (day, nonce) VALUES (?, ?) ON CONFLICT DO NOTHING")
              .params(day, nonce.bytes())
              .update()
          == 1;
    } catch (DataAccessException e) {
      log.warn("a token is not spent: {}", e.getClass().getSimpleName());
      return false;
    }
  }

  /** Deletes the days that count no more, in small transactions of their own. */
  void deleteExpired() {
    long oldest = TokenDays.oldest(clock);
    int deleted = EXPIRE_BATCH;
    while (deleted == EXPIRE_BATCH && expiry.isRunning()) {
      deleted =
          jdbc.sql(
                  "DELETE FROM spent_token WHERE (day, nonce) IN"
                      + " (SELECT day, nonce FROM spent_token WHERE day < ? LIMIT ?)")
              .params(oldest, EXPIRE_BATCH)
              .update();
    }
  }

  @Override
  public void start() {
    expiry.start();
  }

  @Override
  public void stop() {
    RepeatedJob.stopAll(List.of(expiry));
  }

  @Override
  public boolean isRunning() {
    return expiry.isRunning();
  }
}
