package io.solidus.operator.issuance.statement;

import io.solidus.operator.issuance.books.DeskController;
import io.solidus.operator.issuance.message.BankMessageException;
import io.solidus.operator.issuance.message.Schemas;
import io.solidus.operator.issuance.statement.BankMessages.Handed;
import io.solidus.operator.issuance.statement.StatementStore.Difference;
import io.solidus.operator.issuance.statement.StatementStore.OpenLine;
import io.solidus.operator.issuance.statement.StatementStore.Statement;
import io.solidus.operator.issuance.statement.StatementStore.StoredLine;
import io.solidus.operator.issuance.statement.Uploads.Upload;
import io.solidus.operator.issuance.vault.RedemptionKeys;
import io.solidus.platform.description.Refuses;
import io.solidus.platform.problem.BodyTooLargeException;
import io.solidus.platform.problem.Problem;
import io.solidus.platform.problem.ProblemResponses;
import io.solidus.platform.security.Operator;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.Fields;
import io.solidus.wire.json.Member;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.format.annotation.DateTimeFormat;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The operators' API for the bank's messages, statements and differences. */
@RestController
@RequestMapping("/admin/v1/bank")
@SecurityRequirement(name = "bearer")
@Tag(
    name = "Bank",
    description =
        "Reading needs issuance-operator, money-approver or auditor; handing in a message needs issuance-operator; approving it and closing"
            + " a difference need money-approver.")
public class BankController extends DeskController {

  private static final int MAX_ROWS = 1_000_000;

  private final BankMessages messages;
  private final StatementStore store;
  private final Differences differences;
  private final RedemptionKeys keys;

  BankController(
      BankMessages messages, StatementStore store, Differences differences, RedemptionKeys keys) {
    this.messages = messages;
    this.store = store;
    this.differences = differences;
    this.keys = keys;
  }

  /**
   * What was handed in.
   *
   * @param type for example camt.053.001.08
   * @param repeated whether the same message was handed in or booked before
   * @param lines booked movements in the message
   * @param message what waits for another person, with its preview; null when it was booked before,
   *     and for a held page
   * @param heldPage the number of a page that waits for the others of its statement, or null
   */
  public record Taken(
      String type,
      String messageId,
      boolean repeated,
      int lines,
      @Nullable MessageWithPreview message,
      @Nullable Integer heldPage) {}

  /** A message that was handed in; its status is pending, approved, refused or expired. */
  public record MessageView(
      long uploadId,
      String type,
      String messageId,
      String status,
      String proposedBy,
      Instant proposedAt,
      @Nullable String decidedBy,
      @Nullable Instant decidedAt) {
    static MessageView of(Upload u) {
      return new MessageView(
          u.uploadId(),
          u.type(),
          u.messageId(),
          u.status(),
          u.proposedBy(),
          u.proposedAt(),
          u.decidedBy(),
          u.decidedAt());
    }
  }

  /**
   * A message and what it does to the books, or has done.
   *
   * @param previewDigest SHA-256 of all of the preview, base64url; an approval names it
   * @param preview with the first 200 lines, payouts and differences
   * @param next the cursor of the next ones, null when these are all
   */
  public record MessageWithPreview(
      MessageView message, String previewDigest, Effects preview, @Nullable Long next) {
    static MessageWithPreview of(Upload upload) {
      return of(upload, 0, Effects.PAGE);
    }

    static MessageWithPreview of(Upload upload, int from, int limit) {
      Effects all = BankMessages.preview(upload);
      return new MessageWithPreview(
          MessageView.of(upload),
          Base64Url.encode(upload.previewDigest().bytes()),
          all.page(from, limit),
          all.rows() > from + limit ? Long.valueOf(from + limit) : null);
    }
  }

  /**
   * An approval.
   *
   * @param previewDigest of the preview that the approver was shown
   */
  public record MessageApproval(@Member @Nullable String previewDigest) {}

  /** A page of messages; {@code next} is the cursor of the next page, null on the last one. */
  public record MessagePage(List<MessageView> messages, @Nullable Long next) {}

  /**
   * A statement of a day; amounts in minor units.
   *
   * @param booksMinor the expected balance when the statement was booked
   * @param unexplainedMinor what no named difference explains; 0 when the books are right
   * @param pending entries that the bank had not booked; they are left out
   * @param skipped entries that move no money; they are left out
   */
  public record StatementView(
      LocalDate day,
      String messageId,
      String statementId,
      long openingMinor,
      long closingMinor,
      long booksMinor,
      long unexplainedMinor,
      int pending,
      int skipped,
      String importedBy,
      Instant importedAt) {
    static StatementView of(Statement s) {
      return new StatementView(
          s.day(),
          s.messageId(),
          s.reportId(),
          s.openingMinor(),
          s.closingMinor(),
          s.booksMinor(),
          s.unexplainedMinor(),
          s.pending(),
          s.skipped(),
          s.importedBy(),
          s.importedAt());
    }
  }

  /** A page of statements; {@code next} is the cursor of the next page, null on the last one. */
  public record StatementPage(List<StatementView> statements, @Nullable Long next) {}

  /**
   * A booked movement.
   *
   * @param name funding, settled, returned, or the name of a difference
   * @param subject the funding, payout or batch that it was matched with, or null
   */
  public record LineView(
      long lineId,
      String reference,
      boolean credit,
      long amountMinor,
      LocalDate bookedOn,
      @Nullable String endToEndId,
      String name,
      @Nullable String subject,
      @Nullable String counterparty,
      @Nullable String account,
      @Nullable String text) {
    @Override
    public String toString() {
      return "LineView[" + lineId + "]";
    }
  }

  /** A page of lines; {@code next} is the cursor of the next page, null on the last one. */
  public record LinePage(List<LineView> lines, @Nullable Long next) {}

  /** A line; {@code openMinor} of its money is in suspense (a credit) or claimed (a debit). */
  public record OpenLineView(LineView line, long openMinor) {}

  /** A page of open lines; {@code next} is the cursor of the next page, null on the last one. */
  public record OpenLinePage(List<OpenLineView> lines, @Nullable Long next) {}

  /** Something that does not agree; open while {@code closedBy} is null. */
  public record DifferenceView(
      long differenceId,
      String name,
      @Nullable Long lineId,
      String subject,
      long amountMinor,
      Instant noticedAt,
      @Nullable String closedBy,
      @Nullable Instant closedAt,
      @Nullable String note) {
    static DifferenceView of(Difference d) {
      return new DifferenceView(
          d.differenceId(),
          d.name(),
          d.lineId(),
          d.subject(),
          d.amountMinor(),
          d.noticedAt(),
          d.closedBy(),
          d.closedAt(),
          d.note());
    }
  }

  /** A page of differences; {@code next} is the cursor of the next page, null on the last one. */
  public record DifferencePage(List<DifferenceView> differences, @Nullable Long next) {}

  /** Why a difference is none any more, 1 to 500 characters. */
  public record Closing(@Member(min = 1, max = 500) @Nullable String note) {}

  @PostMapping("/messages")
  @ApiResponse(responseCode = "200", useReturnTypeSchema = true)
  @ApiResponse(responseCode = "201", useReturnTypeSchema = true)
  @ApiResponse(responseCode = "202", useReturnTypeSchema = true)
  @PreAuthorize(OPERATES)
  @Operation(
      summary = "Hand in a message of the bank: camt.053.001.08, camt.054.001.08, pain.002.001.12",
      requestBody =
          @io.swagger.v3.oas.annotations.parameters.RequestBody(
              required = true,
              content = @Content(mediaType = "application/xml", schema = @Schema(type = "string"))),
      description =
          "The body is the XML document, at most 8 MiB. It is held against its schema first. Nothing is booked: the answer shows what the"
              + " message would do, and another person approves or refuses it. The same message again changes nothing. 202: a page of a statement"
              + " waits for the others, which the same person hands in.")
  @Refuses(
      value = RejectionCode.BODY_TOO_LARGE,
      conflicts = {
        "bank-busy",
        "bank-unknown",
        "books-full",
        "message-differs",
        "message-in-future",
        "messages-waiting",
        "pages-differ",
        "pages-waiting",
        "statement-exists"
      },
      own =
          @Refuses.Own(
              status = 422,
              codes = {
                "bank-message-inconsistent",
                "bank-message-invalid",
                "bank-message-unsupported"
              }))
  public ResponseEntity<Taken> take(HttpServletRequest request) throws IOException {
    byte[] xml = request.getInputStream().readNBytes(Schemas.MAX_BYTES + 1);
    if (xml.length > Schemas.MAX_BYTES) {
      throw new BodyTooLargeException(Schemas.MAX_BYTES);
    }
    Handed handed = messages.take(xml, Operator.current().subject());
    Upload upload = handed.upload();
    return uncached(
        status(handed),
        new Taken(
            handed.type().id(),
            handed.messageId(),
            handed.repeated(),
            handed.lines(),
            upload == null ? null : MessageWithPreview.of(upload),
            handed.heldPage()));
  }

  private static HttpStatus status(Handed handed) {
    if (handed.heldPage() != null) {
      return HttpStatus.ACCEPTED;
    }
    return handed.repeated() ? HttpStatus.OK : HttpStatus.CREATED;
  }

  @GetMapping("/messages")
  @PreAuthorize(READS)
  @Operation(
      summary = "Messages in the order in which they were handed in, all or of one status",
      description = "status is pending, approved, refused or expired.")
  public ResponseEntity<MessagePage> messages(
      @RequestParam(required = false) @Nullable String status,
      @RequestParam(defaultValue = "0") long cursor,
      @RequestParam(defaultValue = "50") int limit) {
    requireLimit(limit);
    List<Upload> page = messages.page(requireWord(status), cursor, limit);
    return uncached(
        new MessagePage(
            page.stream().map(MessageView::of).toList(), next(page, limit, Upload::uploadId)));
  }

  @GetMapping("/messages/{uploadId}")
  @PreAuthorize(READS)
  @Operation(
      summary = "A message and what it does to the books",
      description =
          "Entries by kind, lines and what each is matched with, payouts whose state changes, and differences: of each of these three"
              + " those from cursor on, at most limit. It names nobody.")
  public ResponseEntity<MessageWithPreview> message(
      @PathVariable long uploadId,
      @RequestParam(defaultValue = "0") int cursor,
      @RequestParam(defaultValue = "" + Effects.PAGE) int limit) {
    requireLimit(limit);
    if (cursor < 0 || cursor > MAX_ROWS) {
      throw ProtocolException.malformed("cursor is 0 to " + MAX_ROWS);
    }
    return uncached(MessageWithPreview.of(messages.load(uploadId), cursor, limit));
  }

  @PostMapping("/messages/{uploadId}/approval")
  @PreAuthorize(APPROVES)
  @Operation(
      summary = "Book a message that another person handed in",
      description =
          "It does exactly what the preview shows whose digest the approval names. 409 preview-changed: the preview is another one by now,"
              + " or it would do something else now, and the preview is renewed; proposal-expired: nobody decided in time.")
  @Refuses(
      conflicts = {
        "bank-busy",
        "bank-unknown",
        "books-full",
        "message-differs",
        "message-in-future",
        "preview-changed",
        "proposal-expired",
        "statement-exists",
        "upload-decided"
      },
      own =
          @Refuses.Own(
              status = 422,
              codes = {
                "bank-message-inconsistent",
                "bank-message-invalid",
                "bank-message-unsupported"
              }))
  public ResponseEntity<MessageWithPreview> approve(
      @PathVariable long uploadId, @RequestBody MessageApproval body) {
    Digest32 shown =
        new Digest32(
            Base64Url.decode(
                Fields.required(body.previewDigest(), "previewDigest"), "previewDigest"));
    return uncached(
        MessageWithPreview.of(messages.approve(uploadId, shown, Operator.current().subject())));
  }

  @PostMapping("/messages/{uploadId}/refusal")
  @PreAuthorize(DECIDES)
  @Operation(summary = "Refuse a message finally, or take it back; nothing is booked")
  @Refuses(conflicts = "upload-decided")
  public ResponseEntity<MessageView> refuse(@PathVariable long uploadId) {
    return uncached(MessageView.of(messages.refuse(uploadId, Operator.current().subject())));
  }

  @GetMapping("/statements")
  @PreAuthorize(READS)
  @Operation(summary = "Statements in the order of their import")
  public ResponseEntity<StatementPage> statements(
      @RequestParam(defaultValue = "0") long cursor, @RequestParam(defaultValue = "50") int limit) {
    requireLimit(limit);
    List<Statement> page = store.statements(cursor, limit);
    return uncached(
        new StatementPage(
            page.stream().map(StatementView::of).toList(), next(page, limit, Statement::sequence)));
  }

  @GetMapping("/statements/{day}")
  @PreAuthorize(READS)
  @Operation(summary = "The statement of a day: booked balances, and what the books expect")
  public ResponseEntity<StatementView> statement(
      @PathVariable @DateTimeFormat(iso = DateTimeFormat.ISO.DATE) LocalDate day) {
    return uncached(StatementView.of(load(requireDay(day))));
  }

  @GetMapping("/statements/{day}/lines")
  @PreAuthorize(READS)
  @Operation(summary = "The lines of a statement with the other side; each view is recorded")
  public ResponseEntity<LinePage> lines(
      @PathVariable @DateTimeFormat(iso = DateTimeFormat.ISO.DATE) LocalDate day,
      @RequestParam(defaultValue = "0") long cursor,
      @RequestParam(defaultValue = "50") int limit) {
    requireLimit(limit);
    List<StoredLine> page =
        differences.lines(load(requireDay(day)), cursor, limit, Operator.current().subject());
    return uncached(
        new LinePage(
            page.stream().map(this::view).toList(), next(page, limit, StoredLine::lineId)));
  }

  @GetMapping("/open-lines")
  @PreAuthorize(READS)
  @Operation(
      summary = "Lines whose money is in suspense or claimed; each view is recorded",
      description =
          "A credit may back a funding, or be assigned as a payout's return or against a claim; a debit may be assigned as a payout's"
              + " payment or as a charge: POST /admin/v1/bank/assignments.")
  public ResponseEntity<OpenLinePage> openLines(
      @RequestParam(defaultValue = "0") long cursor, @RequestParam(defaultValue = "50") int limit) {
    requireLimit(limit);
    List<OpenLine> page = differences.openLines(cursor, limit, Operator.current().subject());
    return uncached(
        new OpenLinePage(
            page.stream().map(o -> new OpenLineView(view(o.line()), o.openMinor())).toList(),
            next(page, limit, o -> o.line().lineId())));
  }

  @GetMapping("/differences")
  @PreAuthorize(READS)
  @Operation(summary = "What does not agree, each with a name; open=true shows the open ones")
  public ResponseEntity<DifferencePage> differences(
      @RequestParam(required = false) @Nullable Boolean open,
      @RequestParam(defaultValue = "0") long cursor,
      @RequestParam(defaultValue = "50") int limit) {
    requireLimit(limit);
    List<Difference> page = store.differences(open, cursor, limit);
    return uncached(
        new DifferencePage(
            page.stream().map(DifferenceView::of).toList(),
            next(page, limit, Difference::differenceId)));
  }

  @PostMapping("/differences/{differenceId}/closing")
  @PreAuthorize(APPROVES)
  @Operation(summary = "Close a difference with a note")
  @Refuses(conflicts = "difference-closed")
  public ResponseEntity<DifferenceView> close(
      @PathVariable long differenceId, @RequestBody Closing body) {
    return uncached(
        DifferenceView.of(
            differences.close(
                differenceId, Fields.required(body.note(), "note"), Operator.current().subject())));
  }

  @ExceptionHandler
  ResponseEntity<Problem> refused(BankMessageException e) {
    return ProblemResponses.answer(
        HttpStatus.UNPROCESSABLE_CONTENT.value(),
        e.reason().code(),
        String.valueOf(e.getMessage()),
        false);
  }

  private Statement load(LocalDate day) {
    return store
        .statement(day)
        .orElseThrow(
            () -> new ProtocolException(RejectionCode.NOT_FOUND, "the day has no statement"));
  }

  private LineView view(StoredLine line) {
    Counterparty other = Counterparty.open(keys, line.sealed());
    return new LineView(
        line.lineId(),
        line.reference(),
        line.credit(),
        line.amountMinor(),
        line.bookedOn(),
        line.endToEndId(),
        line.name(),
        line.subject(),
        other.name(),
        other.account(),
        other.text());
  }
}
