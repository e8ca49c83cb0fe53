package io.solidus.authority.common;

import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The authority's database after its safety check and its migration. A store that takes this in its
 * constructor cannot be made before.
 *
 * @param transaction of {@link DurableTransactions}
 */
public record AuthorityDatabase(JdbcClient jdbc, TransactionTemplate transaction) {

  private static final Duration RECHECK = Duration.ofSeconds(5);

  /**
   * Opens a database without standbys.
   *
   * @throws PostgresSafety.UnsafeDatabaseException before anything is read or written
   */
  public static AuthorityDatabase open(DataSource database) {
    return open(database, new DurableTransactions(database, 0, RECHECK));
  }

  /**
   * Checks and migrates a database.
   *
   * @throws PostgresSafety.UnsafeDatabaseException before anything is read or written
   */
  public static AuthorityDatabase open(DataSource database, DurableTransactions transactions) {
    transactions.requireSafe();
    AuthoritySchema.migrate(database);
    return new AuthorityDatabase(
        JdbcClient.create(database), new TransactionTemplate(transactions));
  }
}
