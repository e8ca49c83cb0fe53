package io.solidus.operator.issuance.books;

import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.format.annotation.DateTimeFormat;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The operators' and auditors' API for the supply and the books. */
@RestController
@PreAuthorize(DeskController.READS)
@SecurityRequirement(name = "bearer")
@Tag(
    name = "Supply and books",
    description = "Needs the role issuance-operator, money-approver or auditor.")
public class SupplyController extends DeskController {
  private final Ledger ledger;
  private final Books books;
  private final BookCurrency currency;

  SupplyController(Ledger ledger, Books books, BookCurrency currency) {
    this.ledger = ledger;
    this.books = books;
    this.currency = currency;
  }

  /**
   * The supply in minor units.
   *
   * @param bankBalanceMinor what the bank's account holds if every entry of the books is right
   */
  public record SupplyView(
      String currency,
      long issuedMinor,
      long redeemedMinor,
      long outstandingMinor,
      long bankBalanceMinor) {}

  /** The balance of an account; {@code closingMinor} is debit minus credit. */
  public record BalanceView(String account, long openingMinor, long closingMinor) {}

  /** The entries of a kind on one day. */
  public record KindView(String kind, long count, long sumMinor) {}

  /** The books of one UTC day. */
  public record DayView(
      LocalDate day, String currency, List<BalanceView> accounts, List<KindView> entries) {}

  /** An entry; {@code reference} is in hexadecimal, of a funding its id. */
  public record EntryView(
      long sequence,
      String kind,
      String reference,
      String debitAccount,
      String creditAccount,
      long amountMinor,
      Instant enteredAt) {}

  /** A page of entries; {@code next} is the cursor of the next page, null on the last one. */
  public record EntryPage(List<EntryView> entries, @Nullable Long next) {}

  @GetMapping("/admin/v1/supply")
  @Operation(
      summary = "The sums ever issued and redeemed, and the bank balance that the books expect")
  public ResponseEntity<SupplyView> supply() {
    Supply supply = ledger.supply();
    return uncached(
        new SupplyView(
            currency.code(),
            supply.issuedMinor(),
            supply.redeemedMinor(),
            supply.outstandingMinor(),
            ledger.bankBalance()));
  }

  @GetMapping("/admin/v1/books/days/{day}")
  @Operation(summary = "The balances and entries of a UTC day")
  public ResponseEntity<DayView> day(
      @PathVariable @DateTimeFormat(iso = DateTimeFormat.ISO.DATE) LocalDate day) {
    if (books.isFuture(requireDay(day))) {
      throw new ProtocolException(RejectionCode.NOT_FOUND, "this day has not begun");
    }
    return uncached(
        new DayView(
            day,
            currency.code(),
            books.balances(day).stream()
                .map(b -> new BalanceView(b.account(), b.openingMinor(), b.closingMinor()))
                .toList(),
            books.kinds(day).stream()
                .map(k -> new KindView(k.kind(), k.count(), k.sumMinor()))
                .toList()));
  }

  @GetMapping("/admin/v1/books/entries")
  @Operation(summary = "The entries of the ledger in their order")
  public ResponseEntity<EntryPage> entries(
      @RequestParam(defaultValue = "0") long cursor, @RequestParam(defaultValue = "50") int limit) {
    requireLimit(limit);
    List<Books.Entry> page = books.entries(cursor, limit);
    return uncached(
        new EntryPage(
            page.stream()
                .map(e ->
                    new EntryView(
                        e.sequence(),
                        e.kind(),
                        HexFormat.of().formatHex(e.reference()),
                        e.debit(),
                        e.credit(),
                        e.amountMinor(),
                        e.at().toInstant()))
                .toList(),
            next(page, limit, Books.Entry::sequence)));
  }
}
