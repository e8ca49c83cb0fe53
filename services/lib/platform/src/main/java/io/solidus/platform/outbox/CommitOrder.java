package io.solidus.platform.outbox;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Makes the numbers of a table's rows follow the order of their commits.
 *
 * <p>PostgreSQL gives a number to a row when it is inserted, and a later number may be committed
 * first. Who reads up to that one and goes on behind it never sees the earlier row.
 */
public final class CommitOrder {

  private CommitOrder() {}

  /**
   * Waits until no other transaction is between this call and its end. Called before the insert
   * that takes a number.
   *
   * @param table in the current schema
   * @throws IllegalStateException outside a transaction, because the lock would end with this call
   */
  public static void enter(JdbcClient jdbc, String table) {
    if (!TransactionSynchronizationManager.isActualTransactionActive()) {
      throw new IllegalStateException("an order of commits needs a transaction");
    }
    jdbc.sql(
            "SELECT pg_advisory_xact_lock(hashtextextended('solidus/order/' || current_schema() || '/' || ?, 0))::text")
        .param(table)
        .query(String.class)
        .single();
  }
}
