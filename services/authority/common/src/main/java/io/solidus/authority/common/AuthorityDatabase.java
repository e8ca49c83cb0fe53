package io.solidus.authority.common;

import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The authority's database, known to be safe and migrated: what stores take in their constructor to
 * say that they need it so.
 *
 * @param transaction of {@link DurableTransactions}
 */
public record AuthorityDatabase(JdbcClient jdbc, TransactionTemplate transaction) {

  private static final Duration RECHECK = Duration.ofSeconds(5);

  /**
   * A database that waits for no standby.
   *
   * @throws PostgresSafety.UnsafeDatabaseException before anything is read or written
   */
  public static AuthorityDatabase open(DataSource database) {
    return open(database, new DurableTransactions(database, 0, RECHECK));
  }

  /**
   * @throws PostgresSafety.UnsafeDatabaseException before anything is read or written
   */
  public static AuthorityDatabase open(DataSource database, DurableTransactions transactions) {
    transactions.requireSafe();
    AuthoritySchema.migrate(database);
    return new AuthorityDatabase(
        JdbcClient.create(database), new TransactionTemplate(transactions));
  }
}
