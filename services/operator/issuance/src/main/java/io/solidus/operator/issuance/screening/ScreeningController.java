package io.solidus.operator.issuance.screening;

import io.solidus.operator.issuance.books.DeskController;
import io.solidus.operator.issuance.screening.Screenings.Screening;
import io.solidus.platform.description.Refuses;
import io.solidus.platform.security.Operator;
import io.solidus.wire.json.Fields;
import io.solidus.wire.json.Member;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

/** The operators' and approvers' API for matches of payers and payees. */
@RestController
@RequestMapping("/admin/v1/screenings")
@SecurityRequirement(name = "bearer")
@Tag(
    name = "Screenings",
    description =
        "Who pays in and who is paid out, held against the sanction lists. Saying what a match is needs issuance-operator; confirming it"
            + " needs money-approver, another person.")
public class ScreeningController extends DeskController {
  private final Screenings screenings;

  ScreeningController(Screenings screenings) {
    this.screenings = screenings;
  }

  /**
   * A match; {@code score} is 0 to 1.
   *
   * @param list where it is listed
   * @param reference its number there
   */
  public record MatchView(String list, String reference, String name, double score) {
    static MatchView of(JsonNode match) {
      return new MatchView(
          match.path("list").asString(""),
          match.path("reference").asString(""),
          match.path("name").asString(""),
          match.path("score").asDouble(0));
    }
  }

  /**
   * A screening.
   *
   * @param subjectKind funding (its payer) or payout (its payee)
   * @param subject the funding's id, or the payout's end-to-end id
   * @param verdict clear, match or unreadable
   * @param basis the versions of lists and matcher, JSON
   * @param status passed, open, proposed, other-person, listed or superseded
   * @param said what one person proposed: other-person or listed
   */
  public record ScreeningView(
      long screeningId,
      String subjectKind,
      String subject,
      String name,
      String verdict,
      String basis,
      List<MatchView> matches,
      Instant screenedAt,
      String status,
      @Nullable String said,
      @Nullable String reason,
      @Nullable String proposedBy,
      @Nullable Instant proposedAt,
      @Nullable String decidedBy,
      @Nullable Instant decidedAt) {
    static ScreeningView of(Screening s) {
      List<MatchView> matches = new ArrayList<>();
      s.matches().forEach(match -> matches.add(MatchView.of(match)));
      return new ScreeningView(
          s.screeningId(),
          s.kind(),
          s.subject(),
          s.name(),
          s.verdict(),
          s.basis(),
          matches,
          s.screenedAt(),
          s.status(),
          s.said(),
          s.reason(),
          s.proposedBy(),
          s.proposedAt(),
          s.decidedBy(),
          s.decidedAt());
    }

    @Override
    public String toString() {
      return "ScreeningView[" + screeningId + "]";
    }
  }

  /** A page of screenings; {@code next} is the cursor of the next page, null on the last one. */
  public record ScreeningPage(List<ScreeningView> screenings, @Nullable Long next) {}

  /**
   * What a match is.
   *
   * @param said other-person, which lets the money pass, or listed, which blocks it
   * @param reason 1 to 500 characters
   */
  public record Disposition(
      @Member(pattern = "other-person|listed") @Nullable String said,
      @Member(min = 1, max = 500) @Nullable String reason) {}

  @GetMapping
  @PreAuthorize(READS)
  @Operation(
      summary = "Screenings of payers and payees with their matches; each view is recorded",
      description = "open=true shows what waits for a person: its funding or payout is blocked.")
  public ResponseEntity<ScreeningPage> list(
      @RequestParam(defaultValue = "false") boolean open,
      @RequestParam(defaultValue = "0") long cursor,
      @RequestParam(defaultValue = "50") int limit) {
    requireLimit(limit);
    List<Screening> page = screenings.page(open, cursor, limit, Operator.current().subject());
    return uncached(
        new ScreeningPage(
            page.stream().map(ScreeningView::of).toList(),
            next(page, limit, Screening::screeningId)));
  }

  @PostMapping("/{screeningId}/disposition")
  @PreAuthorize(OPERATES)
  @Operation(summary = "Propose what a match is: other-person or listed")
  @Refuses(conflicts = "screening-decided")
  public ResponseEntity<ScreeningView> propose(
      @PathVariable long screeningId, @RequestBody Disposition body) {
    return uncached(
        ScreeningView.of(
            screenings.propose(
                screeningId,
                Fields.required(body.said(), "said"),
                Fields.required(body.reason(), "reason"),
                Operator.current().subject())));
  }

  @PostMapping("/{screeningId}/disposition/approval")
  @PreAuthorize(APPROVES)
  @Operation(
      summary = "Confirm what another person said of a match",
      description = "409 proposal-expired: it was said too long ago; refuse it and say it again.")
  @Refuses(conflicts = {"proposal-expired", "screening-decided"})
  public ResponseEntity<ScreeningView> approve(@PathVariable long screeningId) {
    return uncached(
        ScreeningView.of(screenings.approve(screeningId, Operator.current().subject())));
  }

  @PostMapping("/{screeningId}/disposition/refusal")
  @PreAuthorize(DECIDES)
  @Operation(summary = "Refuse what was said of a match, which is open again")
  @Refuses(conflicts = "screening-decided")
  public ResponseEntity<ScreeningView> refuse(@PathVariable long screeningId) {
    return uncached(ScreeningView.of(screenings.refuse(screeningId, Operator.current().subject())));
  }
}
