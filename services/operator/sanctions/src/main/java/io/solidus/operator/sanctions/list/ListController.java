package io.solidus.operator.sanctions.list;

import io.solidus.operator.sanctions.SanctionsProperties;
import io.solidus.operator.sanctions.approval.Proposal;
import io.solidus.operator.sanctions.approval.ProposalView;
import io.solidus.operator.sanctions.approval.WrittenReason;
import io.solidus.operator.sanctions.list.ListRefusedException.Reason;
import io.solidus.platform.audit.AuditLog;
import io.solidus.platform.description.Refuses;
import io.solidus.platform.problem.Problem;
import io.solidus.platform.problem.ProblemResponses;
import io.solidus.platform.security.Operator;
import io.solidus.platform.security.Roles;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/**
 * Imports published lists by two persons: {@code un} (consolidated list, XML), {@code ofac}
 * (SDN.CSV), {@code ofac-alt} (ALT.CSV).
 */
@RestController
@Tag(name = "Lists", description = "Sanction lists. One person imports, another accepts.")
@RequestMapping("/admin/v1/sanctions/lists")
public class ListController {
  private static final int PAGE = 50;
  private final ListImport imports;
  private final ListStore store;
  private final ListDelta delta;
  private final AuditLog audit;
  private final JsonMapper json;
  private final long limit;

  ListController(
      ListImport imports,
      ListStore store,
      ListDelta delta,
      AuditLog audit,
      JsonMapper json,
      SanctionsProperties properties) {
    this.imports = imports;
    this.store = store;
    this.delta = delta;
    this.audit = audit;
    this.json = json;
    this.limit = properties.listFileLimit().toBytes();
  }

  /** The newest version of every list that was imported. */
  public record Lists(List<ListVersion> lists) {}

  /** Versions of a list, the newest first; {@code next} is the next cursor, 0 at the end. */
  public record Versions(List<ListVersion> versions, long next) {}

  @Operation(summary = "The newest version of every list")
  @GetMapping
  @PreAuthorize("hasAnyRole('" + Roles.SANCTIONS_OPERATOR + "', '" + Roles.AUDITOR + "')")
  public Lists newest() {
    return new Lists(store.newest());
  }

  /**
   * Reads one page of a list's versions.
   *
   * @param cursor {@code next} of the previous page
   */
  @Operation(summary = "Versions of a list, the newest first")
  @GetMapping("/{list}/versions")
  @PreAuthorize("hasAnyRole('" + Roles.SANCTIONS_OPERATOR + "', '" + Roles.AUDITOR + "')")
  public Versions versions(
      @PathVariable String list, @RequestParam(defaultValue = "0") long cursor) {
    List<ListVersion> page =
        store.versions(known(list), cursor > 0 ? cursor : Long.MAX_VALUE, PAGE);
    return new Versions(page, page.size() == PAGE ? page.getLast().version() : 0);
  }

  /**
   * What an import led to: 202 with a proposal, or 200 without one when the file is the version in
   * force already.
   *
   * @param inForce the version in force, or null
   * @param proposal for POST /admin/v1/approvals/{id} by another person
   */
  public record Imported(@Nullable ListVersion inForce, @Nullable ProposalView proposal) {}

  /** Differences in the order of their references; {@code next} is the next cursor, or null. */
  public record Delta(List<ListDelta.Change> changes, @Nullable String next) {}

  /**
   * Imports a file: the raw body of any content type. Screening uses it when another person has
   * accepted it with POST /admin/v1/approvals/{id}.
   *
   * @param reason 1 to 2000 characters: why the file is right although it has no end mark, is older
   *     than the version in force, removes or changes many entries, or has many malformed ones; the
   *     person who accepts it confirms
   */
  @Operation(
      summary = "Imports a publisher's file; another person accepts it when it differs",
      requestBody =
          @RequestBody(
              description = "the file as its publisher has it",
              required = true,
              content =
                  @Content(
                      mediaType = MediaType.APPLICATION_OCTET_STREAM_VALUE,
                      schema = @Schema(type = "string", format = "binary"))))
  @PostMapping(path = "/{list}/imports", produces = MediaType.APPLICATION_JSON_VALUE)
  @ApiResponse(responseCode = "200", useReturnTypeSchema = true)
  @ApiResponse(responseCode = "202", useReturnTypeSchema = true)
  @PreAuthorize("hasRole('" + Roles.SANCTIONS_OPERATOR + "')")
  @Refuses(
      value = RejectionCode.BODY_TOO_LARGE,
      conflicts = "list-imports-pending",
      own =
          @Refuses.Own(
              status = 400,
              codes = {"list-format-invalid", "list-needs-reason", "list-too-many-malformed"}))
  public ResponseEntity<Imported> propose(
      @PathVariable String list,
      @RequestParam(required = false) @Nullable String reason,
      HttpServletRequest request)
      throws IOException, ListRefusedException {
    ListId id = known(list);
    if (reason != null) {
      WrittenReason.require(reason, "reason");
    }
    if (request.getContentLengthLong() > limit) {
      throw new ListRefusedException(
          Reason.TOO_LARGE, "a list file may have at most " + limit + " bytes");
    }
    try (ListFile file = ListFile.receive(request.getInputStream(), limit)) {
      ListImport.Result result = imports.propose(id, file, reason, Operator.current().subject());
      Proposal proposal = result.proposal();
      return ResponseEntity.status(proposal == null ? HttpStatus.OK : HttpStatus.ACCEPTED)
          .body(
              new Imported(
                  result.inForce(), proposal == null ? null : ProposalView.of(proposal, json)));
    }
  }

  /**
   * Reads one page of what an import adds, removes and changes. Kept for as long as the entries of
   * both versions are: refused and expired imports lose theirs at the next import.
   *
   * @param id of the import's proposal
   * @param cursor {@code next} of the previous page
   */
  @Operation(summary = "What an import adds, removes and changes")
  @GetMapping("/{list}/imports/{id}/delta")
  @PreAuthorize(
      "hasAnyRole('"
          + Roles.SANCTIONS_OPERATOR
          + "', '"
          + Roles.LIST_APPROVER
          + "', '"
          + Roles.AUDITOR
          + "')")
  public Delta delta(
      @PathVariable String list,
      @PathVariable UUID id,
      @RequestParam(defaultValue = "") String cursor) {
    ListId known = known(list);
    if (cursor.indexOf('\0') >= 0) {
      throw ProtocolException.malformed("cursor is next of the page before");
    }
    ListStore.Import imported =
        store
            .importOf(known, id)
            .orElseThrow(() -> new ProtocolException(RejectionCode.NOT_FOUND, "no such import"));
    audit.add(Operator.current().subject(), "list-import delta read", id.toString());
    List<ListDelta.Change> page =
        delta.page(known, imported.base(), imported.version(), cursor, PAGE);
    return new Delta(page, page.size() == PAGE ? page.getLast().reference() : null);
  }

  @ExceptionHandler
  ResponseEntity<Problem> refused(ListRefusedException e) {
    Reason reason = e.reason();
    return ProblemResponses.answer(reason.status(), reason.code(), e.detail(), false);
  }

  private static ListId known(String list) {
    return ListId.of(list)
        .orElseThrow(() ->
            new ProtocolException(
                RejectionCode.NOT_FOUND, "no such list; the lists are un, ofac and ofac-alt"));
  }
}
