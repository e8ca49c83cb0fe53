package io.solidus.operator.registration.admin;

import io.solidus.operator.registration.cases.DeskService;
import io.solidus.platform.bank.BankScope;
import io.solidus.platform.description.Refuses;
import io.solidus.platform.security.Operator;
import io.solidus.platform.security.Roles;
import io.solidus.protocol.ProtocolException;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The officers' desk: claims and search. What is searched for is in the body, not in an address.
 */
@RestController
@RequestMapping("/admin/v1/kyc")
@PreAuthorize("hasRole('" + Roles.KYC_OPERATOR + "')")
@SecurityRequirement(name = "bearer")
@Tag(name = "KYC cases", description = "Needs the role kyc-operator.")
public class DeskController {
  private static final int MAX_FOUND = 50;
  private static final int MAX_NAME_CHARS = 200;

  private final DeskService desk;

  DeskController(DeskService desk) {
    this.desk = desk;
  }

  /**
   * A claim.
   *
   * @param takeOver whether to take the case from the officer who has claimed it
   */
  public record Claim(@Nullable Boolean takeOver) {}

  /**
   * What to search for: one of caseId, address, documentNumber, name and mine.
   *
   * @param address {@code apk} of a case file, in hex
   * @param documentNumber of a person's document or in a register of organisations, with {@code
   *     nationality}
   * @param nationality ISO 3166-1, two or three letters; of an organisation the country of its seat
   * @param name whole or in part; with {@code birthDate} in all cases, of an organisation with
   *     {@code nationality} in all cases, alone in the newest 2,000 undecided ones
   * @param birthDate yyyy-mm-dd
   * @param mine the cases that the caller has claimed
   */
  public record Search(
      @Nullable UUID caseId,
      @Nullable String address,
      @Nullable String documentNumber,
      @Nullable String nationality,
      @Nullable String name,
      @Nullable String birthDate,
      @Nullable Boolean mine) {

    @Override
    public String toString() {
      return "Search[redacted]";
    }
  }

  /** At most 50 cases; {@code cut} says whether there may be more. */
  public record Found(List<CaseSummary> cases, boolean cut) {}

  @PostMapping("/cases/{caseId}/claim")
  @Operation(
      summary =
          "Claims a case for half an hour, or renews the claim; another officer then decides it only after taking it over")
  @Refuses(conflicts = {"case-erased", "claimed"})
  public ResponseEntity<CaseFile> claim(
      BankScope scope,
      @PathVariable UUID caseId,
      @RequestBody(required = false) @Nullable Claim claim) {
    boolean takeOver = claim != null && Boolean.TRUE.equals(claim.takeOver());
    return answer(CaseFile.of(desk.claim(caseId, Operator.current().subject(), takeOver), scope));
  }

  @PostMapping("/cases/{caseId}/release")
  @Operation(summary = "Gives the claim of a case back")
  @Refuses(conflicts = "claimed")
  public ResponseEntity<CaseFile> release(BankScope scope, @PathVariable UUID caseId) {
    return answer(CaseFile.of(desk.release(caseId, Operator.current().subject()), scope));
  }

  @PostMapping("/search")
  @Operation(summary = "Finds cases; each view of a name is recorded")
  public ResponseEntity<Found> search(BankScope scope, @RequestBody Search search) {
    if (search.name() != null
        && (search.name().isBlank() || search.name().length() > MAX_NAME_CHARS)) {
      throw ProtocolException.malformed("name has 1 to " + MAX_NAME_CHARS + " characters");
    }
    List<CaseSummary> found =
        desk
            .search(
                scope,
                new DeskService.Query(
                    search.caseId(),
                    search.address(),
                    search.documentNumber(),
                    search.nationality(),
                    search.name(),
                    date(search.birthDate()),
                    Boolean.TRUE.equals(search.mine())),
                Operator.current().subject(),
                MAX_FOUND)
            .stream()
            .map(CaseSummary::of)
            .toList();
    return answer(new Found(found, found.size() == MAX_FOUND));
  }

  private static @Nullable LocalDate date(@Nullable String text) {
    try {
      return text == null ? null : LocalDate.parse(text);
    } catch (DateTimeParseException e) {
      throw ProtocolException.malformed("birthDate is not a date (yyyy-mm-dd)");
    }
  }

  private static <T> ResponseEntity<T> answer(T body) {
    return ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(body);
  }
}
