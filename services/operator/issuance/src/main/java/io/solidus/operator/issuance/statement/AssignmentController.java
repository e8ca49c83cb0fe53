package io.solidus.operator.issuance.statement;

import io.solidus.operator.issuance.books.DeskController;
import io.solidus.operator.issuance.statement.LineAssignments.Assignment;
import io.solidus.operator.issuance.statement.LineAssignments.Kind;
import io.solidus.operator.issuance.statement.LineAssignments.Wanted;
import io.solidus.platform.description.Refuses;
import io.solidus.platform.security.Operator;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.Fields;
import io.solidus.wire.json.Member;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The operators' and approvers' API for lines that the bank's message did not explain. */
@RestController
@RequestMapping("/admin/v1/bank/assignments")
@SecurityRequirement(name = "bearer")
@Tag(
    name = "Assignments",
    description =
        "What a line of the bank is for. Proposing needs issuance-operator; approving needs money-approver, another person.")
public class AssignmentController extends DeskController {
  private final LineAssignments assignments;

  AssignmentController(LineAssignments assignments) {
    this.assignments = assignments;
  }

  /**
   * What a line is for.
   *
   * @param kind netting (money in suspense settles a claim: a credit line, and a debit line or a
   *     recalled funding), charge (a debit line, or a part of it, is the bank's charge), payment (a
   *     debit line paid a payout) or return (a credit line is a payout that came back)
   * @param amountMinor of netting and charge in minor units; null for as much as is open
   * @param reason 1 to 500 characters
   */
  public record NewAssignment(
      @Member(pattern = "netting|charge|payment|return") @Nullable String kind,
      @Nullable Long creditLineId,
      @Nullable Long debitLineId,
      @Nullable String fundingId,
      @Nullable String leadSerial,
      @Member(optional = true, min = 1) @Nullable Long amountMinor,
      @Member(min = 1, max = 500) @Nullable String reason) {}

  /** An assignment; its status is pending, approved or refused. */
  public record AssignmentView(
      long assignmentId,
      String kind,
      @Nullable Long creditLineId,
      @Nullable Long debitLineId,
      @Nullable String fundingId,
      @Nullable String leadSerial,
      long amountMinor,
      String reason,
      String status,
      String proposedBy,
      Instant proposedAt,
      @Nullable String decidedBy,
      @Nullable Instant decidedAt) {
    static AssignmentView of(Assignment a) {
      Wanted w = a.wanted();
      return new AssignmentView(
          a.assignmentId(),
          w.kind().id(),
          w.creditLine(),
          w.debitLine(),
          w.fundingId(),
          w.payout() == null ? null : Base64Url.encode(w.payout().bytes()),
          a.amount().minor(),
          a.reason(),
          a.status(),
          a.proposedBy(),
          a.proposedAt(),
          a.decidedBy(),
          a.decidedAt());
    }
  }

  /** A page of assignments; {@code next} is the cursor of the next page, null on the last one. */
  public record AssignmentPage(List<AssignmentView> assignments, @Nullable Long next) {}

  @PostMapping
  @ResponseStatus(HttpStatus.CREATED)
  @PreAuthorize(OPERATES)
  @Operation(
      summary = "Propose what a line of the bank is for",
      description =
          "409 assignment-open: less is in suspense or claimed; payout-state: the payout cannot be paid or come back now.")
  @Refuses(
      value = RejectionCode.NOT_FOUND,
      conflicts = {"assignment-exists", "assignment-open", "payout-state"})
  public ResponseEntity<AssignmentView> propose(@RequestBody NewAssignment body) {
    String lead = body.leadSerial();
    Wanted wanted =
        new Wanted(
            Kind.of(Fields.required(body.kind(), "kind")),
            body.creditLineId(),
            body.debitLineId(),
            body.fundingId(),
            lead == null ? null : SerialNumber.of(Base64Url.decode(lead, "leadSerial")),
            body.amountMinor());
    return uncached(
        HttpStatus.CREATED,
        AssignmentView.of(
            assignments.propose(
                wanted, Fields.required(body.reason(), "reason"), Operator.current().subject())));
  }

  @GetMapping
  @PreAuthorize(READS)
  @Operation(summary = "Assignments in the order of their proposals, all or of one status")
  public ResponseEntity<AssignmentPage> list(
      @RequestParam(required = false) @Nullable String status,
      @RequestParam(defaultValue = "0") long cursor,
      @RequestParam(defaultValue = "50") int limit) {
    requireLimit(limit);
    List<Assignment> page = assignments.page(requireWord(status), cursor, limit);
    return uncached(
        new AssignmentPage(
            page.stream().map(AssignmentView::of).toList(),
            next(page, limit, Assignment::assignmentId)));
  }

  @PostMapping("/{assignmentId}/approval")
  @PreAuthorize(APPROVES)
  @Operation(
      summary = "Approve an assignment that another person proposed; its entries are made at once")
  @Refuses(
      conflicts = {
        "assignment-decided",
        "assignment-open",
        "books-full",
        "payout-state",
        "proposal-expired"
      })
  public ResponseEntity<AssignmentView> approve(@PathVariable long assignmentId) {
    return uncached(
        AssignmentView.of(assignments.approve(assignmentId, Operator.current().subject())));
  }

  @PostMapping("/{assignmentId}/refusal")
  @PreAuthorize(DECIDES)
  @Operation(summary = "Refuse an assignment finally")
  @Refuses(conflicts = "assignment-decided")
  public ResponseEntity<AssignmentView> refuse(@PathVariable long assignmentId) {
    return uncached(
        AssignmentView.of(assignments.refuse(assignmentId, Operator.current().subject())));
  }
}
