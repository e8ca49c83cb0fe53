package io.solidus.operator.registration.cases;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads and writes approvals of organisations. Callers own the transactions and lock the case. */
final class ApprovalStore {
  private final JdbcClient jdbc;
  private final CaseCodec codec;

  ApprovalStore(JdbcClient jdbc, CaseCodec codec) {
    this.jdbc = jdbc;
    this.codec = codec;
  }

  /**
   * The approvals of a case, oldest first.
   *
   * @param since those from before have expired
   */
  List<CaseApproval> of(UUID caseId, Instant since) {
    return jdbc.sql(
            "SELECT officer, sealed_reason, at FROM case_approval WHERE case_id = ? ORDER BY sequence")
        .param(caseId)
        .query((row, n) -> {
          Instant at = row.getTimestamp(3).toInstant();
          return new CaseApproval(
              row.getString(1),
              codec.openApproval(caseId, row.getBytes(2)),
              at,
              at.isBefore(since));
        })
        .list();
  }

  void add(UUID caseId, CaseApproval approval) {
    jdbc.sql("INSERT INTO case_approval (case_id, officer, sealed_reason, at) VALUES (?, ?, ?, ?)")
        .params(
            caseId,
            approval.officer(),
            codec.sealApproval(caseId, approval.reason()),
            approval.at().atOffset(ZoneOffset.UTC))
        .update();
  }
}
