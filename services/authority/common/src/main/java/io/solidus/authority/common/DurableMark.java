package io.solidus.authority.common;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Makes the commit of a transaction that found rows, instead of writing them, wait as if it had
 * written them.
 *
 * <p>The trap this closes: a commit's wait for a standby was cancelled, or the primary crashed
 * while it waited. Its caller was told no, but its rows are there and visible. The caller tries
 * again, finds them in place, writes nothing, and PostgreSQL lets a commit that wrote nothing wait
 * for nobody: it would now be told yes about rows that a failover loses. The mark is a record in
 * the write-ahead log behind those rows, so its commit cannot be on a standby before they are; it
 * changes no table. (A row lock such as FOR SHARE writes such a record too; an advisory lock or a
 * transaction id alone does not.)
 *
 * <p>Whoever acts on rows of another transaction as if they were durable leaves a mark first. The
 * signer needs none of its own: its anchor is written before a signature leaves, behind everything
 * the signer has read.
 */
public final class DurableMark {

  private DurableMark() {}

  /**
   * Costs one round trip and, at commit, what a write costs. Any number of marks in one transaction
   * are as good as one.
   *
   * @throws IllegalStateException outside a transaction of {@link DurableTransactions}: nobody
   *     would look at its commit
   */
  public static void leave(JdbcClient jdbc) {
    if (!TransactionSynchronizationManager.isActualTransactionActive()) {
      throw new IllegalStateException("a mark is left in the transaction that found the rows");
    }
    // transactional: only then does it need a commit record, and only a commit record is waited for
    jdbc.sql("SELECT pg_logical_emit_message(true, 'solidus', '')::text")
        .query(String.class)
        .single();
  }
}
