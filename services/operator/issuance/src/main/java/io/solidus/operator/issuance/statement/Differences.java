package io.solidus.operator.issuance.statement;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.operator.issuance.books.DeskConflictException;
import io.solidus.operator.issuance.books.OperatorAuditLog;
import io.solidus.operator.issuance.statement.StatementStore.Difference;
import io.solidus.operator.issuance.statement.StatementStore.OpenLine;
import io.solidus.operator.issuance.statement.StatementStore.Statement;
import io.solidus.operator.issuance.statement.StatementStore.StoredLine;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import java.time.Clock;
import java.util.List;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** What does not agree between the bank and the books, and who explained it. */
@Service
class Differences {
  private static final int MAX_NOTE_CHARS = 500;

  private final StatementStore store;
  private final OperatorAuditLog audit;
  private final Clock clock;

  Differences(StatementStore store, OperatorAuditLog audit, Clock clock, MeterRegistry registry) {
    this.store = store;
    this.audit = audit;
    this.clock = clock;
    Gauge.builder("solidus.issuance.bank.differences", this, Differences::open)
        .description("named differences between the bank and the books that nobody has closed")
        .register(registry);
  }

  private double open() {
    try {
      return store.openDifferences();
    } catch (DataAccessException e) {
      return Double.NaN;
    }
  }

  /** Returns a page of a statement's lines and records that the operator viewed it. */
  List<StoredLine> lines(Statement statement, long cursor, int limit, String operator) {
    audit.add(operator, "statement viewed", statement.day() + " after " + cursor);
    return store.lines(statement.sequence(), cursor, limit);
  }

  /** Returns a page of lines that nothing explains yet and records that the operator viewed it. */
  List<OpenLine> openLines(long cursor, int limit, String operator) {
    audit.add(operator, "open lines viewed", "after " + cursor);
    return store.openLines(cursor, limit);
  }

  /**
   * Closes a difference.
   *
   * @throws DeskConflictException difference-closed
   */
  @Transactional
  Difference close(long differenceId, String note, String approver) {
    if (note.isBlank() || note.length() > MAX_NOTE_CHARS) {
      throw ProtocolException.malformed("a note has 1 to " + MAX_NOTE_CHARS + " characters");
    }
    Difference before = load(differenceId);
    if (!store.close(differenceId, approver, note, clock.instant())) {
      throw new DeskConflictException("difference-closed", "the difference is already closed");
    }
    audit.add(approver, "difference closed", before.name() + " " + differenceId);
    return load(differenceId);
  }

  private Difference load(long differenceId) {
    return store
        .difference(differenceId)
        .orElseThrow(() -> new ProtocolException(RejectionCode.NOT_FOUND, "no such difference"));
  }
}
