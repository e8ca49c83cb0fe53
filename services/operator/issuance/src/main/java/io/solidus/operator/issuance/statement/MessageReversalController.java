package io.solidus.operator.issuance.statement;

import io.solidus.operator.issuance.books.DeskController;
import io.solidus.operator.issuance.statement.MessageReversals.Reversal;
import io.solidus.platform.description.Refuses;
import io.solidus.platform.security.Operator;
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

/** The operators' and approvers' API for wrong messages of the bank. */
@RestController
@RequestMapping("/admin/v1/bank")
@SecurityRequirement(name = "bearer")
@Tag(
    name = "Message reversals",
    description =
        "What a wrong message of the bank did is taken back. Proposing needs issuance-operator; approving needs money-approver, another"
            + " person.")
public class MessageReversalController extends DeskController {
  private final MessageReversals reversals;

  MessageReversalController(MessageReversals reversals) {
    this.reversals = reversals;
  }

  /** Why a booked message is wrong, 1 to 500 characters. */
  public record NewMessageReversal(@Member(min = 1, max = 500) @Nullable String reason) {}

  /** A reversal; its status is pending, approved or refused. */
  public record MessageReversalView(
      long reversalId,
      long uploadId,
      String type,
      String messageId,
      String reason,
      String status,
      String proposedBy,
      Instant proposedAt,
      @Nullable String decidedBy,
      @Nullable Instant decidedAt) {
    static MessageReversalView of(Reversal r) {
      return new MessageReversalView(
          r.reversalId(),
          r.uploadId(),
          r.type(),
          r.messageId(),
          r.reason(),
          r.status(),
          r.proposedBy(),
          r.proposedAt(),
          r.decidedBy(),
          r.decidedAt());
    }
  }

  /** A page of reversals; {@code next} is the cursor of the next page, null on the last one. */
  public record MessageReversalPage(List<MessageReversalView> reversals, @Nullable Long next) {}

  @PostMapping("/messages/{uploadId}/reversals")
  @ResponseStatus(HttpStatus.CREATED)
  @PreAuthorize(OPERATES)
  @Operation(summary = "Propose to take back what a booked message did, because it is wrong")
  @Refuses(conflicts = "reversal-exists")
  public ResponseEntity<MessageReversalView> propose(
      @PathVariable long uploadId, @RequestBody NewMessageReversal body) {
    return uncached(
        HttpStatus.CREATED,
        MessageReversalView.of(
            reversals.propose(
                uploadId, Fields.required(body.reason(), "reason"), Operator.current().subject())));
  }

  @GetMapping("/message-reversals")
  @PreAuthorize(READS)
  @Operation(summary = "Reversals of messages in the order of their proposals")
  public ResponseEntity<MessageReversalPage> list(
      @RequestParam(required = false) @Nullable String status,
      @RequestParam(defaultValue = "0") long cursor,
      @RequestParam(defaultValue = "50") int limit) {
    requireLimit(limit);
    List<Reversal> page = reversals.page(requireWord(status), cursor, limit);
    return uncached(
        new MessageReversalPage(
            page.stream().map(MessageReversalView::of).toList(),
            next(page, limit, Reversal::reversalId)));
  }

  // not {reversalId}: that names a reversal of a funding, which may be a bank's
  @PostMapping("/message-reversals/{messageReversalId}/approval")
  @PreAuthorize(APPROVES)
  @Operation(
      summary = "Approve a reversal; its entries are made at once",
      description =
          "Each entry of the message gets an opposite one, and its id and day are free for the right message. 409 message-used: a funding,"
              + " an assignment, a payout or a later statement rests on it.")
  @Refuses(conflicts = {"books-full", "message-used", "proposal-expired", "reversal-decided"})
  public ResponseEntity<MessageReversalView> approve(@PathVariable long messageReversalId) {
    return uncached(
        MessageReversalView.of(reversals.approve(messageReversalId, Operator.current().subject())));
  }

  @PostMapping("/message-reversals/{messageReversalId}/refusal")
  @PreAuthorize(DECIDES)
  @Operation(summary = "Refuse a reversal finally")
  @Refuses(conflicts = "reversal-decided")
  public ResponseEntity<MessageReversalView> refuse(@PathVariable long messageReversalId) {
    return uncached(
        MessageReversalView.of(reversals.refuse(messageReversalId, Operator.current().subject())));
  }
}
