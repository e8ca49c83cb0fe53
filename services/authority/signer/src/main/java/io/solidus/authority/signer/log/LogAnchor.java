package io.solidus.authority.signer.log;

import io.solidus.authority.common.AuthorityDatabase;
import io.solidus.protocol.Digest32;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The anchor of the sign-log: its head, stored in the authority's database. It moves before a
 * signature is sent. So a log that lost records ends before it, and a database that was rolled back
 * holds an anchor that is not the end of the log.
 *
 * <p>It moves in a durable transaction. The write-ahead log of PostgreSQL is sequential, so when
 * that commit is on the standby, so is every reservation that the signer saw before it: no
 * signature rests on a row that a failover could lose.
 */
public final class LogAnchor {

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  public LogAnchor(AuthorityDatabase database) {
    this.jdbc = database.jdbc();
    this.transaction = database.transaction();
  }

  public Optional<LogPosition> read() {
    return jdbc.sql("SELECT sequence, head FROM authority.sign_log_anchor")
        .query((rs, row) -> new LogPosition(rs.getLong(1), new Digest32(rs.getBytes(2))))
        .optional();
  }

  /** Creates the anchor at the first start; it is never created for a log that holds records. */
  public void create(LogPosition genesis) {
    transaction.executeWithoutResult(t ->
        jdbc.sql(
                "INSERT INTO authority.sign_log_anchor (sequence, head) VALUES (:sequence, :head) ON CONFLICT DO NOTHING")
            .param("sequence", genesis.sequence())
            .param("head", genesis.head().bytes())
            .update());
  }

  /**
   * Moves the anchor of a log that is opened from exactly where it was read. The signer's own table
   * is at {@code to} already.
   *
   * @throws org.springframework.transaction.TransactionException when it is unknown whether the
   *     anchor moved durably
   */
  public void advance(LogPosition from, LogPosition to) {
    inTransaction(() ->
        move(
            from,
            to,
            """
            UPDATE authority.sign_log_anchor SET sequence = :toSequence, head = :toHead
            WHERE sequence = :fromSequence AND head = :fromHead
            """));
  }

  /** Runs work in one durable transaction. */
  void inTransaction(Runnable work) {
    transaction.executeWithoutResult(t -> work.run());
  }

  /**
   * Moves the anchor and the position of the signer's own table, in the caller's transaction, from
   * exactly where this process left both. Any other position means that the database, or one schema
   * of it, was rolled back or that a second signer runs.
   */
  void moveBoth(LogPosition from, LogPosition to) {
    move(
        from,
        to,
        """
        WITH own AS (
            UPDATE signer.signed_position SET sequence = :toSequence WHERE sequence = :fromSequence RETURNING sequence)
        UPDATE authority.sign_log_anchor SET sequence = :toSequence, head = :toHead, signed_sequence = :toSequence
        WHERE sequence = :fromSequence AND head = :fromHead AND signed_sequence = :fromSequence
          AND EXISTS (SELECT 1 FROM own)
        """);
  }

  private void move(LogPosition from, LogPosition to, String update) {
    int moved =
        jdbc.sql(update)
            .param("toSequence", to.sequence())
            .param("toHead", to.head().bytes())
            .param("fromSequence", from.sequence())
            .param("fromHead", from.head().bytes())
            .update();
    if (moved != 1) {
      throw new LogDamagedException(
          "the database's anchor of the sign-log is not where this signer left it");
    }
  }
}
