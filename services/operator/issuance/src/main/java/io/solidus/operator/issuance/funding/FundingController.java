package io.solidus.operator.issuance.funding;

import io.solidus.operator.issuance.books.BookCurrency;
import io.solidus.operator.issuance.books.DeskController;
import io.solidus.operator.issuance.funding.FundingLines.FundingLine;
import io.solidus.platform.bank.BankScope;
import io.solidus.platform.bank.Banks;
import io.solidus.platform.description.Refuses;
import io.solidus.platform.problem.Problem;
import io.solidus.platform.problem.ProblemResponses;
import io.solidus.platform.security.Operator;
import io.solidus.protocol.Amount;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.ProtocolException;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.Fields;
import io.solidus.wire.json.Member;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.tags.Tag;
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
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** The operators' API for money received at the bank. */
@RestController
@RequestMapping("/admin/v1/fundings")
@SecurityRequirement(name = "bearer")
@Tag(
    name = "Fundings",
    description =
        "Reading needs issuance-operator, money-approver or auditor; recording needs issuance-operator.")
public class FundingController extends DeskController {

  private final Fundings fundings;
  private final FundingLines lines;
  private final BookCurrency currency;
  private final Banks banks;

  FundingController(Fundings fundings, FundingLines lines, BookCurrency currency, Banks banks) {
    this.fundings = fundings;
    this.lines = lines;
    this.currency = currency;
    this.banks = banks;
  }

  /**
   * Received money.
   *
   * @param fundingId 1 to 64 characters of A-Z a-z 0-9 . _ : -; where there are several banks it
   *     begins with its bank and a colon
   * @param holderPersonTag 32 bytes, base64url; this or the account is required
   * @param currency null or the currency of the books
   * @param accountReference the sender's account, 1 to 140 characters
   * @param lineId the line of the bank's statement that brought the money, or null; for the
   *     centre's staff, who read statements
   * @param bank whose customer paid; for the centre's staff where there are several banks
   */
  public record NewFunding(
      @Member(min = 1, max = 64, pattern = "[A-Za-z0-9._:-]*") @Nullable String fundingId,
      @Member(min = 1) @Nullable Long amountMinor,
      @Nullable String currency,
      @Member(optional = true, bytes = 32) @Nullable String holderPersonTag,
      @Member(optional = true, min = 1, max = 140) @Nullable String accountReference,
      @Nullable Long lineId,
      @Nullable String bank) {
    @Override
    public String toString() {
      return "NewFunding[" + fundingId + "]";
    }
  }

  /** A funding and its new access token, which no later answer contains. */
  public record Recorded(String fundingId, String accessToken) {
    @Override
    public String toString() {
      return "Recorded[" + fundingId + "]";
    }
  }

  /**
   * A funding; {@code remainingMinor} is not yet reserved by a mint. Its status is open, used or
   * reversed. Lists leave {@code accountReference} out.
   */
  public record FundingView(
      String fundingId,
      String bank,
      String status,
      long amountMinor,
      String currency,
      long remainingMinor,
      @Nullable String holderPersonTag,
      @Nullable String accountReference,
      @Nullable StatementLine statementLine,
      String recordedBy,
      Instant recordedAt) {
    @Override
    public String toString() {
      return "FundingView[" + fundingId + "]";
    }
  }

  /**
   * The line of the bank's statement or notification that brought the money.
   *
   * @param payer who paid, as the bank gave it
   */
  public record StatementLine(
      long lineId, String reference, LocalDate bookedOn, long amountMinor, Payer payer) {
    @Override
    public String toString() {
      return "StatementLine[" + lineId + "]";
    }
  }

  /** Who paid; null what the bank did not say. */
  public record Payer(@Nullable String name, @Nullable String account, @Nullable String text) {
    @Override
    public String toString() {
      return "Payer[redacted]";
    }
  }

  /** A page of fundings; {@code next} is the cursor of the next page, null on the last one. */
  public record FundingPage(List<FundingView> fundings, @Nullable Long next) {}

  @PostMapping
  @ResponseStatus(HttpStatus.CREATED)
  @PreAuthorize(OPERATES)
  @Operation(
      summary = "Records received money; only this answer contains the access token",
      description =
          "409 funding-id-of-bank: the platform has several banks, and the id does not begin with the funding's bank and a colon; of the bank of requests that name none, it begins with no bank.")
  @Refuses(
      conflicts = {
        "books-full",
        "funding-conflict",
        "funding-id-of-bank",
        "line-needed",
        "line-taken"
      },
      own =
          @Refuses.Own(
              status = 400,
              codes = {"bank-needed", "unknown-bank"}))
  public ResponseEntity<Recorded> record(BankScope scope, @RequestBody NewFunding body) {
    String fundingId = Fields.required(body.fundingId(), "fundingId");
    String tag = body.holderPersonTag();
    if (body.currency() != null && !body.currency().equals(currency.code())) {
      throw ProtocolException.malformed("the books are in " + currency.code());
    }
    if (body.lineId() != null) {
      scope.requireEvery();
    }
    AccessToken token =
        fundings.record(
            banks.choose(scope, body.bank()),
            fundingId,
            new Amount(Fields.required(body.amountMinor(), "amountMinor")),
            tag == null ? null : new Digest32(Base64Url.decode(tag, "holderPersonTag")),
            body.accountReference(),
            body.lineId(),
            Operator.current().subject());
    return uncached(HttpStatus.CREATED, new Recorded(fundingId, token.text()));
  }

  @GetMapping
  @PreAuthorize(READS)
  @Operation(
      summary = "Fundings in the order of their records, without accounts; each view is recorded",
      description =
          "status is open, used or reversed; reference is the beginning of the funding's id; from and to are the first and the last"
              + " UTC day of the record.")
  public ResponseEntity<FundingPage> list(
      BankScope scope,
      @RequestParam(required = false) @Nullable String status,
      @RequestParam(required = false) @Nullable String reference,
      @RequestParam(required = false) @DateTimeFormat(iso = DateTimeFormat.ISO.DATE)
          @Nullable LocalDate from,
      @RequestParam(required = false) @DateTimeFormat(iso = DateTimeFormat.ISO.DATE)
          @Nullable LocalDate to,
      @RequestParam(defaultValue = "0") long cursor,
      @RequestParam(defaultValue = "50") int limit) {
    requireLimit(limit);
    FundingStore.Filter filter =
        new FundingStore.Filter(
            status == null ? null : FundingStatus.of(status),
            reference,
            from == null ? null : requireDay(from),
            to == null ? null : requireDay(to));
    List<Funding> page = fundings.page(scope, filter, cursor, limit, Operator.current().subject());
    return uncached(
        new FundingPage(
            page.stream().map(funding -> view(funding, null, null)).toList(),
            next(page, limit, Funding::sequence)));
  }

  @GetMapping("/{fundingId}")
  @PreAuthorize(READS)
  @Operation(summary = "A funding with the sender's account; each view is recorded")
  public ResponseEntity<FundingView> view(@PathVariable String fundingId) {
    Funding funding = fundings.view(fundingId, Operator.current().subject());
    return uncached(
        view(
            funding,
            fundings.reference(funding).orElse(null),
            lines.find(fundingId).map(FundingController::line).orElse(null)));
  }

  private static StatementLine line(FundingLine line) {
    return new StatementLine(
        line.lineId(),
        line.reference(),
        line.bookedOn(),
        line.amountMinor(),
        JsonMapper.shared().readValue(line.counterparty(), Payer.class));
  }

  private FundingView view(
      Funding funding, @Nullable String reference, @Nullable StatementLine line) {
    Digest32 tag = funding.holderTag();
    return new FundingView(
        funding.fundingId(),
        funding.bank(),
        funding.status().id(),
        funding.amount().minor(),
        currency.code(),
        funding.remaining().minor(),
        tag == null ? null : Base64Url.encode(tag.bytes()),
        reference,
        line,
        funding.recordedBy(),
        funding.recordedAt());
  }

  @PostMapping("/{fundingId}/access-token")
  @PreAuthorize(OPERATES)
  @Operation(
      summary =
          "Replaces a lost access token; only for the operator who recorded the funding, before any mint")
  @Refuses(conflicts = "funding-conflict")
  public ResponseEntity<Recorded> replaceToken(@PathVariable String fundingId) {
    AccessToken token = fundings.replaceToken(fundingId, Operator.current().subject());
    return uncached(new Recorded(fundingId, token.text()));
  }

  @ExceptionHandler
  ResponseEntity<Problem> conflict(FundingConflictException e) {
    return ProblemResponses.answer(
        HttpStatus.CONFLICT.value(), "funding-conflict", String.valueOf(e.getMessage()), false);
  }
}
