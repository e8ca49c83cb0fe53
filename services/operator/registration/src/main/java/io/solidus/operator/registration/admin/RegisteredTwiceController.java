package io.solidus.operator.registration.admin;

import io.solidus.operator.registration.cases.DuplicateDecisionService;
import io.solidus.platform.security.Operator;
import io.solidus.platform.security.Roles;
import io.solidus.protocol.ProtocolException;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The operators' queue of registered persons who may be one. */
@RestController
@RequestMapping("/admin/v1/kyc/duplicates")
@PreAuthorize("hasRole('" + Roles.KYC_OPERATOR + "')")
@SecurityRequirement(name = "bearer")
@Tag(name = "Possible duplicates", description = "Needs the role kyc-operator. Two decide.")
public class RegisteredTwiceController {
  private static final int MAX_PAGE = 200;
  private static final UUID START = new UUID(0, 0);

  private final DuplicateDecisionService decisions;

  RegisteredTwiceController(DuplicateDecisionService decisions) {
    this.decisions = decisions;
  }

  /**
   * Two registered persons or organisations that may be one.
   *
   * @param kind person or organisation, the same of both
   * @param name the whole name of the later one
   * @param otherName the whole name of the earlier one
   * @param givenName null of an organisation, as the other parts of names
   * @param caseId of the later registration
   * @param otherId of the earlier one
   * @param verdict duplicate when two officers said so and no registration is closed yet
   */
  public record PairView(
      String caseId,
      String kind,
      String name,
      @Nullable String givenName,
      @Nullable String familyName,
      String otherId,
      String otherName,
      @Nullable String otherGivenName,
      @Nullable String otherFamilyName,
      boolean sameDocument,
      boolean nearBirthDate,
      double likeness,
      @Nullable String verdict) {

    static PairView of(DuplicateDecisionService.RegisteredPair found) {
      return new PairView(
          found.pair().caseId().toString(),
          found.later().kind(),
          found.later().person().fullName(),
          ListedName.given(found.later()),
          ListedName.family(found.later()),
          found.pair().otherId().toString(),
          found.earlier().person().fullName(),
          ListedName.given(found.earlier()),
          ListedName.family(found.earlier()),
          found.pair().sameDocument(),
          found.pair().nearBirthDate(),
          found.pair().likeness(),
          found.pair().verdict() == null ? null : found.pair().verdict().id());
    }

    @Override
    public String toString() {
      return "PairView[" + caseId + "]";
    }
  }

  /**
   * A page of pairs. The next page begins after the last pair's {@code caseId} and {@code otherId}.
   *
   * @param more whether there may be a next page
   */
  public record Pairs(List<PairView> pairs, boolean more) {}

  @GetMapping
  @Operation(
      summary = "Pairs of registered persons that may be one; each view of a name is recorded")
  public ResponseEntity<Pairs> list(
      @RequestParam(required = false) @Nullable UUID afterCase,
      @RequestParam(required = false) @Nullable UUID afterOther,
      @RequestParam(defaultValue = "50") int limit) {
    if (limit < 1 || limit > MAX_PAGE) {
      throw ProtocolException.malformed("limit is 1 to " + MAX_PAGE);
    }
    List<PairView> page =
        decisions
            .registered(
                afterCase == null ? START : afterCase,
                afterOther == null ? START : afterOther,
                limit,
                Operator.current().subject())
            .stream()
            .map(PairView::of)
            .toList();
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noStore())
        .body(new Pairs(page, page.size() == limit));
  }
}
