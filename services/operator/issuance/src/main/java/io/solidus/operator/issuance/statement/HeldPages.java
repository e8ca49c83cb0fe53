package io.solidus.operator.issuance.statement;

import io.solidus.operator.issuance.books.DeskConflictException;
import io.solidus.operator.issuance.books.Expiry;
import io.solidus.operator.issuance.books.OperatorAuditLog;
import io.solidus.operator.issuance.message.PageReader.Page;
import io.solidus.operator.issuance.message.Schemas;
import io.solidus.operator.issuance.vault.RedemptionKeys;
import io.solidus.platform.outbox.CommitOrder;
import io.solidus.platform.security.Operator;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Pages of statements that wait for the other pages, for as long as a proposal may wait. */
@Component
class HeldPages {
  /** The most pages that wait: each has up to 8 MiB. */
  static final int MAX_HELD = 50;

  private final JdbcClient jdbc;
  private final RedemptionKeys keys;
  private final Expiry expiry;
  private final OperatorAuditLog audit;
  private final Clock clock;

  HeldPages(
      JdbcClient jdbc, RedemptionKeys keys, Expiry expiry, OperatorAuditLog audit, Clock clock) {
    this.jdbc = jdbc;
    this.keys = keys;
    this.expiry = expiry;
    this.audit = audit;
    this.clock = clock;
  }

  private record Held(int number, boolean last, int bytes, String by) {}

  /**
   * Keeps a page; the same page again takes the former one's place. Who approves a statement must
   * have handed in none of its pages, so those of another person are forgotten, and so is what
   * follows the last one.
   *
   * @return all pages of its statement in their order, or none while one is missing
   * @throws DeskConflictException pages-differ when the page follows the last one, or all together
   *     are too large; pages-waiting
   */
  @Transactional
  List<byte[]> keep(Page page, byte[] xml, String operator) {
    CommitOrder.enter(jdbc, "bank_page");
    if (held(page.reportId()).stream().anyMatch(p -> !Operator.samePerson(p.by(), operator))) {
      forget(page.reportId());
      audit.add(operator, "statement pages of another discarded", page.reportId());
    }
    jdbc.sql("DELETE FROM bank_page WHERE report_id = ? AND (page = ? OR (? AND page > ?))")
        .params(page.reportId(), page.number(), page.last(), page.number())
        .update();
    if (count() >= MAX_HELD) {
      throw new DeskConflictException(
          "pages-waiting", MAX_HELD + " pages wait for the others of their statements");
    }
    jdbc.sql(
            "INSERT INTO bank_page (report_id, page, last, bytes, content, proposed_by, proposed_at) VALUES (?, ?, ?, ?, ?, ?, ?)")
        .params(
            page.reportId(),
            page.number(),
            page.last(),
            xml.length,
            keys.sealRecord(xml),
            operator,
            OffsetDateTime.now(clock))
        .update();
    List<Held> held = held(page.reportId());
    int end = held.stream().filter(Held::last).mapToInt(Held::number).findFirst().orElse(0);
    if (held.stream().mapToLong(Held::bytes).sum() > Schemas.MAX_BYTES
        || (end > 0 && held.getLast().number() > end)) {
      throw new DeskConflictException(
          "pages-differ", "a page follows the last one, or the pages are too large together");
    }
    audit.add(operator, "statement page handed in", page.reportId() + ", page " + page.number());
    return held.size() == end ? contents(page.reportId()) : List.of();
  }

  private List<Held> held(String reportId) {
    return jdbc.sql(
            "SELECT page, last, bytes, proposed_by FROM bank_page WHERE report_id = ? ORDER BY page")
        .param(reportId)
        .query(
            (row, n) -> new Held(row.getInt(1), row.getBoolean(2), row.getInt(3), row.getString(4)))
        .list();
  }

  private long count() {
    return jdbc.sql("SELECT count(*) FROM bank_page").query(Long.class).single();
  }

  private List<byte[]> contents(String reportId) {
    return jdbc.sql("SELECT content FROM bank_page WHERE report_id = ? ORDER BY page")
        .param(reportId)
        .query((row, n) -> keys.openRecord(row.getBytes(1)))
        .list();
  }

  /** Forgets pages whose statement nobody completed in time. */
  @Transactional
  void expire() {
    jdbc
        .sql("DELETE FROM bank_page WHERE proposed_at < ? RETURNING report_id")
        .param(OffsetDateTime.ofInstant(expiry.oldest(), ZoneOffset.UTC))
        .query(String.class)
        .list()
        .stream()
        .distinct()
        .forEach(reportId -> audit.add(Uploads.TIME, "statement pages expired", reportId));
  }

  /** Forgets the pages of a statement, which were handed in together. */
  void forget(String reportId) {
    jdbc.sql("DELETE FROM bank_page WHERE report_id = ?").param(reportId).update();
  }
}
