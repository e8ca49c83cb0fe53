package io.solidus.authority.shard;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The connections of look-ups. Everybody may send look-ups, so they share no connection with
 * payments: a flood of look-ups delays look-ups only, and payments whose commits wait for a standby
 * delay no look-up.
 */
final class LookUpDatabase implements AutoCloseable {

  private static final Duration CONNECTION_WAIT = Duration.ofSeconds(2);

  private final HikariDataSource pool;

  /**
   * Opens connections to the database of the shard.
   *
   * @param shard the pool of the shard, whose settings are taken over
   */
  LookUpDatabase(HikariDataSource shard, int connections) {
    HikariConfig config = new HikariConfig();
    shard.copyStateTo(config);
    config.setPoolName("look-ups");
    config.setMaximumPoolSize(connections);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(Math.min(CONNECTION_WAIT.toMillis(), shard.getConnectionTimeout()));
    this.pool = new HikariDataSource(config);
  }

  JdbcClient jdbc() {
    return JdbcClient.create(pool);
  }

  @Override
  public void close() {
    pool.close();
  }
}
