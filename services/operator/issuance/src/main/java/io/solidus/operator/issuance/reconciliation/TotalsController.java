package io.solidus.operator.issuance.reconciliation;

import io.solidus.operator.issuance.books.DeskController;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import org.springframework.format.annotation.DateTimeFormat;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The operators' and auditors' API for what the authorities signed. */
@RestController
@PreAuthorize(DeskController.READS)
@SecurityRequirement(name = "bearer")
@Tag(
    name = "Authorities' totals",
    description = "Needs the role issuance-operator, money-approver or auditor.")
public class TotalsController extends DeskController {
  private final JdbcClient jdbc;

  TotalsController(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * What an authority minted and withdrew on a UTC day and in all, in minor units.
   *
   * @param pastDeskMinor how much more it had minted than this desk had issued; 0 when all is well
   * @param note the signed note, which anybody can verify against the network's manifest
   */
  public record TotalsView(
      int authority,
      long mintedMinor,
      long withdrawnMinor,
      long mintedInAllMinor,
      long withdrawnInAllMinor,
      long pastDeskMinor,
      Instant receivedAt,
      String note) {}

  /** The totals of all authorities for a day; an authority that sent none is missing. */
  public record DayTotals(LocalDate day, List<TotalsView> authorities) {}

  @GetMapping("/admin/v1/authority-totals/{day}")
  @Operation(summary = "What each authority signed that it minted and withdrew on a UTC day")
  public ResponseEntity<DayTotals> day(
      @PathVariable @DateTimeFormat(iso = DateTimeFormat.ISO.DATE) LocalDate day) {
    return uncached(
        new DayTotals(
            day,
            jdbc.sql(
                    "SELECT authority, minted_minor, withdrawn_minor, minted_in_all_minor, withdrawn_in_all_minor, past_desk_minor,"
                        + " received_at, note FROM authority_totals WHERE day = ? ORDER BY authority")
                .param(requireDay(day))
                .query((row, n) ->
                    new TotalsView(
                        row.getInt(1),
                        row.getLong(2),
                        row.getLong(3),
                        row.getLong(4),
                        row.getLong(5),
                        row.getLong(6),
                        row.getObject(7, OffsetDateTime.class).toInstant(),
                        row.getString(8)))
                .list()));
  }
}
