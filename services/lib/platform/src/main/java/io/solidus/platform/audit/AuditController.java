package io.solidus.platform.audit;

import io.solidus.platform.audit.EventSeals.SealedEvent;
import io.solidus.platform.security.Roles;
import io.solidus.protocol.ProtocolException;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** The auditors' API for what operators did and looked at. */
@RestController
@PreAuthorize("hasRole('" + Roles.AUDITOR + "')")
@Tag(name = "Audit log", description = "Needs the role auditor.")
public class AuditController {
  private static final String LINES = "application/x-ndjson";
  private static final int MAX_PAGE = 10_000;

  private final EventSeals seals;
  private final JsonMapper json;

  AuditController(EventSeals seals, JsonMapper json) {
    this.seals = seals;
    this.json = json;
  }

  @GetMapping(path = "/admin/v1/audit/events", produces = LINES)
  @Operation(
      summary = "What operators did and looked at, oldest first, one JSON object a line",
      description =
          "Each line has a position, the event as a JSON text, and a hash over it and the hash"
              + " before. ./solidus audit verify FILE checks a file of all lines.")
  public ResponseEntity<String> events(
      @RequestParam(defaultValue = "0") long after,
      @RequestParam(defaultValue = "1000") int limit) {
    if (limit < 1 || limit > MAX_PAGE) {
      throw ProtocolException.malformed("limit is 1 to " + MAX_PAGE);
    }
    List<SealedEvent> page = seals.page(after, limit);
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noStore())
        .body(
            page.stream()
                .map(event -> json.writeValueAsString(event) + "\n")
                .collect(Collectors.joining()));
  }
}
