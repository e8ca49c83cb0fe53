package io.solidus.validator.signer.log;

import io.solidus.protocol.Digest32;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The sign-log's head, kept outside the log: in the authority's database. It moves before a signature leaves, so a log
 * that lost records ends before it, and a database that was rolled back holds an anchor that is not the log's last one.
 */
public final class LogAnchor {

  private final JdbcClient jdbc;

  public LogAnchor(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  public Optional<LogPosition> read() {
    return jdbc.sql("SELECT sequence, head FROM authority.sign_log_anchor")
        .query((rs, row) -> new LogPosition(rs.getLong(1), new Digest32(rs.getBytes(2))))
        .optional();
  }

  /** First start only: an anchor is never made for a log that already holds records. */
  public void create(LogPosition genesis) {
    jdbc.sql("INSERT INTO authority.sign_log_anchor (sequence, head) VALUES (:sequence, :head) ON CONFLICT DO NOTHING")
        .param("sequence", genesis.sequence())
        .param("head", genesis.head().bytes())
        .update();
  }

  /**
   * Moves the anchor from exactly where this process left it. Anything else means that the database went back in time
   * or that a second signer is at work.
   */
  public void advance(LogPosition from, LogPosition to) {
    int moved =
        jdbc.sql(
                """
                UPDATE authority.sign_log_anchor SET sequence = :toSequence, head = :toHead
                WHERE sequence = :fromSequence AND head = :fromHead
                """)
            .param("toSequence", to.sequence())
            .param("toHead", to.head().bytes())
            .param("fromSequence", from.sequence())
            .param("fromHead", from.head().bytes())
            .update();
    if (moved != 1) {
      throw new LogDamagedException("the database's anchor of the sign-log is not where this signer left it");
    }
  }
}
