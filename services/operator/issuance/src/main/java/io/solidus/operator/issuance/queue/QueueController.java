package io.solidus.operator.issuance.queue;

import io.solidus.operator.issuance.books.DeskController;
import io.solidus.platform.bank.BankScope;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * How much waits in the lists whose reading is recorded, because they name people. It names nobody,
 * so a first page can ask for it again and again.
 */
@RestController
@PreAuthorize(DeskController.READS)
@SecurityRequirement(name = "bearer")
@Tag(name = "Work queues", description = "Needs issuance-operator, money-approver or auditor.")
public class QueueController extends DeskController {
  private static final String PAYOUTS =
      """
      SELECT 'payouts-held' AS name, count(*) AS count, min(accepted_at) AS oldest FROM redemption JOIN payout USING (lead_serial)
       WHERE state = 'accepted' AND batch_id IS NULL AND hold IN ('iban-invalid', 'agent-unknown') AND (:bank = '' OR bank = :bank)
      UNION ALL
      SELECT 'payouts-failed', count(*), min(changed_at) FROM redemption JOIN payout USING (lead_serial)
       WHERE state = 'failed' AND (:bank = '' OR bank = :bank)
      UNION ALL
      SELECT 'payouts-returned', count(*), min(changed_at) FROM redemption JOIN payout USING (lead_serial)
       WHERE state = 'returned' AND (:bank = '' OR bank = :bank)
      UNION ALL
      SELECT 'payee-corrections', count(*), min(proposed_at) FROM payee_correction
       WHERE status = 'pending' AND (:bank = '' OR lead_serial IN (SELECT lead_serial FROM redemption WHERE bank = :bank))
      """;

  private static final String SCREENINGS =
      """
      UNION ALL
      SELECT 'screenings-open', count(*), min(screened_at) FROM screening WHERE status = 'open'
      UNION ALL
      SELECT 'screenings-proposed', count(*), min(proposed_at) FROM screening WHERE status = 'proposed'
      """;

  private final JdbcClient jdbc;

  QueueController(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * A queue.
   *
   * @param name payouts-held, payouts-failed, payouts-returned, payee-corrections, and for the
   *     centre's staff screenings-open and screenings-proposed
   * @param oldest since when the oldest waits; null when nothing waits
   */
  public record Queue(String name, long count, @Nullable Instant oldest) {}

  /** All queues that the caller may work on, empty ones too. */
  public record Queues(List<Queue> queues) {}

  @GetMapping("/admin/v1/issuance/queues")
  @Operation(
      summary =
          "How many payouts, corrected payees and screenings wait; without names, so no view is recorded")
  public ResponseEntity<Queues> queues(BankScope scope) {
    return uncached(
        new Queues(
            jdbc.sql(scope.isEvery() ? PAYOUTS + SCREENINGS : PAYOUTS)
                .param("bank", scope.id())
                .query((row, n) -> {
                  OffsetDateTime oldest = row.getObject(3, OffsetDateTime.class);
                  return new Queue(
                      row.getString(1), row.getLong(2), oldest == null ? null : oldest.toInstant());
                })
                .list()));
  }
}
