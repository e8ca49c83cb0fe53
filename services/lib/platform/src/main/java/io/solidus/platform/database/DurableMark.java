package io.solidus.platform.database;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Makes the commit of a transaction that only found rows wait for the standby as if it had written
 * them.
 *
 * <p>It prevents this failure: the wait of a commit for a standby is cancelled, or the primary
 * crashes during the wait. The caller gets an error, but the rows exist and are visible. The caller
 * tries again, finds the rows and writes nothing. PostgreSQL lets a commit that wrote nothing wait
 * for no standby, so the caller would get a success for rows that a failover loses. The mark is a
 * record in the write-ahead log behind those rows, so its commit cannot be on a standby before they
 * are. It changes no table. (A row lock such as FOR SHARE writes such a record too. An advisory
 * lock or a transaction id alone does not.)
 *
 * <p>A caller that relies on rows of another transaction leaves a mark first. The signer needs no
 * mark: before a signature leaves it writes its anchor, behind everything it has read.
 */
public final class DurableMark {

  /**
   * Transactional: only then does the commit write a record, and a standby is waited for only then.
   */
  public static final String SQL = "SELECT pg_logical_emit_message(true, 'solidus', '')::text";

  private DurableMark() {}

  /**
   * Leaves a mark in the current transaction. It costs one round trip and, at commit, what a write
   * costs. Several marks in one transaction have the effect of one.
   *
   * @throws IllegalStateException outside a transaction, because its commit is what waits
   */
  public static void leave(JdbcClient jdbc) {
    if (!TransactionSynchronizationManager.isActualTransactionActive()) {
      throw new IllegalStateException("a mark needs the transaction that found the rows");
    }
    jdbc.sql(SQL).query(String.class).single();
  }
}
