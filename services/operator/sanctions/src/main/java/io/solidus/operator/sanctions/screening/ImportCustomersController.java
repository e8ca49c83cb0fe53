package io.solidus.operator.sanctions.screening;

import io.solidus.operator.sanctions.screening.ImportCustomers.Found;
import io.solidus.operator.sanctions.screening.ImportCustomers.Waiting;
import io.solidus.platform.audit.AuditLog;
import io.solidus.platform.security.Operator;
import io.solidus.platform.security.Roles;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.json.Member;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Which customers an import would hit, before the second person decides. The registration asks for
 * the imports that wait, compares its persons with what each would add or change, and says how many
 * match. The lists' side never learns their names.
 */
@RestController
@RequestMapping("/admin/v1/sanctions/imports")
public class ImportCustomersController {
  private static final int MAX_CASES = 100;

  private final ImportCustomers customers;
  private final ScreeningService screening;
  private final AuditLog audit;

  ImportCustomersController(ImportCustomers customers, ScreeningService screening, AuditLog audit) {
    this.customers = customers;
    this.screening = screening;
    this.audit = audit;
  }

  /** Imports by the ids of their proposals. */
  public record Imports(List<UUID> imports) {}

  /** For each person, in order, how many entries that the import adds or changes match. */
  public record Hits(List<Integer> matches) {}

  /**
   * What the registration found.
   *
   * @param screened how many customers were compared
   * @param hit how many match
   * @param cases ids of the first of these, 100 at most
   */
  public record Result(
      @Member(min = 0) @Nullable Long screened,
      @Member(min = 0) @Nullable Long hit,
      @Member(max = MAX_CASES) @Nullable List<@Nullable UUID> cases) {}

  /**
   * Which customers an import hits.
   *
   * @param cases ids of the first of these
   */
  public record Customers(long screened, long hit, List<UUID> cases, Instant foundAt) {}

  /** The imports that wait, and whose customers nobody has looked for. */
  @GetMapping("/unscreened")
  @PreAuthorize("hasAnyRole('" + Roles.SERVICE + "', '" + Roles.AUDITOR + "')")
  public Imports unscreened() {
    return new Imports(customers.unscreened().stream().map(Waiting::id).toList());
  }

  /** Compares persons with what an import adds or changes. */
  @PostMapping("/{id}/screenings")
  @PreAuthorize("hasRole('" + Roles.SERVICE + "')")
  public Hits screen(@PathVariable UUID id, @RequestBody ScreeningController.Batch batch) {
    Waiting waiting = customers.waiting(id).orElseThrow(ImportCustomersController::notFound);
    return new Hits(
        screening
            .screenWaiting(waiting.list(), waiting.version(), ScreeningController.asked(batch))
            .stream()
            .map(result -> result.matches().size())
            .toList());
  }

  /** Says which customers an import would hit. What was said first stays. */
  @PutMapping("/{id}/customers")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @PreAuthorize("hasRole('" + Roles.SERVICE + "')")
  public void keep(@PathVariable UUID id, @RequestBody Result result) {
    if (customers.waiting(id).isEmpty()) {
      throw notFound();
    }
    Long screened = result.screened();
    Long hit = result.hit();
    List<@Nullable UUID> cases = result.cases();
    if (screened == null || hit == null || hit < 0 || hit > screened || cases == null) {
      throw ProtocolException.malformed("screened, hit and cases are needed, hit at most screened");
    }
    if (cases.size() > MAX_CASES || cases.size() > hit || cases.contains(null)) {
      throw ProtocolException.malformed("cases has the ids of " + MAX_CASES + " hits at most");
    }
    customers.keep(id, screened, hit, List.copyOf(cases));
    screening.forgetWaiting();
    audit.add(
        Operator.current().subject(),
        "list-import customers found",
        id + ": " + hit + " of " + screened);
  }

  /** Which customers an import hits; not-found until the registration has said it. */
  @GetMapping("/{id}/customers")
  @PreAuthorize(
      "hasAnyRole('"
          + Roles.SANCTIONS_OPERATOR
          + "', '"
          + Roles.LIST_APPROVER
          + "', '"
          + Roles.AUDITOR
          + "')")
  public Customers found(@PathVariable UUID id) {
    Found found = customers.found(id).orElseThrow(ImportCustomersController::notFound);
    audit.add(Operator.current().subject(), "list-import customers read", id.toString());
    return new Customers(found.screened(), found.hit(), found.cases(), found.foundAt());
  }

  private static ProtocolException notFound() {
    return new ProtocolException(
        RejectionCode.NOT_FOUND, "no such import waits, or its customers are not known yet");
  }
}
