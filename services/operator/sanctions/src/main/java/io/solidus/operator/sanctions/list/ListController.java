package io.solidus.operator.sanctions.list;

import io.solidus.operator.sanctions.SanctionsProperties;
import io.solidus.operator.sanctions.list.ListRefusedException.Reason;
import io.solidus.platform.problem.Problem;
import io.solidus.platform.problem.ProblemResponses;
import io.solidus.platform.security.Operator;
import io.solidus.platform.security.Roles;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Imports published lists: {@code un} (consolidated list, XML), {@code ofac} (SDN.CSV), {@code
 * ofac-alt} (ALT.CSV).
 */
@RestController
@RequestMapping("/admin/v1/sanctions/lists")
public class ListController {
  private static final int PAGE = 50;

  private final ListImport imports;
  private final ListStore store;
  private final long limit;

  ListController(ListImport imports, ListStore store, SanctionsProperties properties) {
    this.imports = imports;
    this.store = store;
    this.limit = properties.listFileLimit().toBytes();
  }

  /** The newest version of every list that was imported. */
  public record Lists(List<ListVersion> lists) {}

  /** Versions of a list, the newest first; {@code next} is the next cursor, 0 at the end. */
  public record Versions(List<ListVersion> versions, long next) {}

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
  @GetMapping("/{list}/versions")
  @PreAuthorize("hasAnyRole('" + Roles.SANCTIONS_OPERATOR + "', '" + Roles.AUDITOR + "')")
  public Versions versions(
      @PathVariable String list, @RequestParam(defaultValue = "0") long cursor) {
    List<ListVersion> page =
        store.versions(known(list), cursor > 0 ? cursor : Long.MAX_VALUE, PAGE);
    return new Versions(page, page.size() == PAGE ? page.getLast().version() : 0);
  }

  /**
   * Imports a file: the raw body of any content type. The same file again has the same version as
   * answer (200 instead of 201).
   *
   * @param acceptShrinkage import a file with less than half the entries of the previous version
   */
  @PutMapping(path = "/{list}/versions", produces = MediaType.APPLICATION_JSON_VALUE)
  @PreAuthorize("hasRole('" + Roles.SANCTIONS_OPERATOR + "')")
  public ResponseEntity<ListVersion> put(
      @PathVariable String list,
      @RequestParam(defaultValue = "false") boolean acceptShrinkage,
      HttpServletRequest request)
      throws IOException, ListRefusedException {
    ListId id = known(list);
    if (request.getContentLengthLong() > limit) {
      throw new ListRefusedException(
          Reason.TOO_LARGE, "a list file may have at most " + limit + " bytes");
    }
    try (ListFile file = ListFile.receive(request.getInputStream(), limit)) {
      ListImport.Result result =
          imports.run(id, file, acceptShrinkage, Operator.current().subject());
      return ResponseEntity.status(result.created() ? HttpStatus.CREATED : HttpStatus.OK)
          .body(result.version());
    }
  }

  @ExceptionHandler
  ResponseEntity<Problem> refused(ListRefusedException e) {
    ListRefusedException.Reason reason = e.reason();
    return ProblemResponses.answer(reason.rejection().http(), reason.code(), e.detail(), false);
  }

  private static ListId known(String list) {
    return ListId.of(list)
        .orElseThrow(() ->
            new ProtocolException(
                RejectionCode.NOT_FOUND, "no such list; the lists are un, ofac and ofac-alt"));
  }
}
