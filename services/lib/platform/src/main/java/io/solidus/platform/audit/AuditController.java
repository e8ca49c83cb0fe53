package io.solidus.platform.audit;

import io.solidus.platform.audit.AuditSearch.Query;
import io.solidus.platform.security.Roles;
import io.solidus.protocol.ProtocolException;
import io.solidus.wire.json.Member;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** The auditors' API for what operators did and looked at: one form for all services. */
@RestController
@RequestMapping("/admin/v1/${solidus.audit.service}/events")
@PreAuthorize("hasRole('" + Roles.AUDITOR + "')")
@Tag(name = "Audit log", description = "Needs the role auditor.")
public class AuditController {
  /** Names where the next page of a download begins. */
  static final String NEXT = "Solidus-Next";

  private static final String LINES = "application/x-ndjson";
  private static final int MAX_PAGE = 10_000;
  private static final int MAX_SHOWN = 500;
  private static final int MAX_TEXT = 255;
  private static final int NOTES = 1_000;

  private final EventSeals seals;
  private final AuditSearch search;
  private final @Nullable DailyNotes notes;
  private final JsonMapper json;

  AuditController(
      EventSeals seals, AuditSearch search, @Nullable DailyNotes notes, JsonMapper json) {
    this.seals = seals;
    this.search = search;
    this.notes = notes;
    this.json = json;
  }

  /** Events, the newest first; {@code next} is the next cursor, 0 at the end. */
  public record Page(List<AuditEvent> events, long next) {}

  @GetMapping
  @Operation(summary = "What operators did and looked at, the newest first")
  public ResponseEntity<Page> events(
      @Parameter(description = "subject of the token, in any case") @RequestParam(required = false)
          @Nullable String actor,
      @Parameter(description = "beginning of the kind") @RequestParam(required = false)
          @Nullable String kind,
      @Parameter(description = "id of what it happened to") @RequestParam(required = false)
          @Nullable String object,
      @Parameter(description = "first instant or day, ISO 8601 in UTC")
          @RequestParam(required = false)
          @Nullable String from,
      @Parameter(description = "first instant or day that is too late")
          @RequestParam(required = false)
          @Nullable String to,
      @Parameter(description = "next of the previous page") @RequestParam(defaultValue = "0")
          long cursor,
      @RequestParam(defaultValue = "100") int limit) {
    requireLimit(limit, MAX_SHOWN);
    List<AuditEvent> page =
        search.before(
            query(actor, kind, object, from, to), cursor > 0 ? cursor : Long.MAX_VALUE, limit);
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noStore())
        .body(new Page(page, page.size() == limit ? page.getLast().sequence() : 0));
  }

  @GetMapping(path = "/download", produces = MediaType.ALL_VALUE)
  @ApiResponse(
      responseCode = "200",
      content = {
        @Content(mediaType = LINES, schema = @Schema(type = "string")),
        @Content(mediaType = "text/csv;charset=UTF-8", schema = @Schema(type = "string"))
      })
  @Operation(
      summary = "The same events as a file, the oldest first",
      description =
          "The header Solidus-Next has the cursor of the next part, 0 at the end. In CSV a cell that"
              + " a spreadsheet would take for a formula begins with an apostrophe.")
  public ResponseEntity<byte[]> download(
      @Parameter(description = "csv or jsonl")
          @Member(pattern = "csv|jsonl")
          @RequestParam(defaultValue = "jsonl")
          String format,
      @RequestParam(required = false) @Nullable String actor,
      @RequestParam(required = false) @Nullable String kind,
      @RequestParam(required = false) @Nullable String object,
      @RequestParam(required = false) @Nullable String from,
      @RequestParam(required = false) @Nullable String to,
      @RequestParam(defaultValue = "0") long cursor,
      @RequestParam(defaultValue = "10000") int limit) {
    requireLimit(limit, MAX_PAGE);
    boolean csv = format.equals("csv");
    if (!csv && !format.equals("jsonl")) {
      throw ProtocolException.malformed("format is csv or jsonl");
    }
    List<AuditEvent> part = search.after(query(actor, kind, object, from, to), cursor, limit);
    String text =
        csv
            ? EventCsv.of(part)
            : part.stream()
                .map(event -> json.writeValueAsString(event) + "\n")
                .collect(Collectors.joining());
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noStore())
        .header(NEXT, part.size() == limit ? Long.toString(part.getLast().sequence()) : "0")
        .header(HttpHeaders.CONTENT_TYPE, csv ? "text/csv;charset=UTF-8" : LINES)
        .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"events." + format + '"')
        .body(text.getBytes(StandardCharsets.UTF_8));
  }

  @GetMapping(path = "/sealed", produces = LINES)
  @Operation(
      summary = "All sealed events, oldest first, one JSON object a line",
      description =
          "Each line has a position, the event as a JSON text, and a hash over it and the hash"
              + " before. ./solidus audit verify FILE checks a file of all lines.")
  public ResponseEntity<String> sealed(
      @RequestParam(defaultValue = "0") long after,
      @RequestParam(defaultValue = "1000") int limit) {
    requireLimit(limit, MAX_PAGE);
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noStore())
        .body(
            seals.page(after, limit).stream()
                .map(event -> json.writeValueAsString(event) + "\n")
                .collect(Collectors.joining()));
  }

  @GetMapping(path = "/notes", produces = "text/plain;charset=UTF-8")
  @Operation(
      summary = "The signed notes of the days after one, oldest first",
      description =
          "Each note is followed by an empty line. ./solidus audit verify FILE --notes NOTES checks"
              + " the events against them.")
  public ResponseEntity<String> notes(
      @Parameter(description = "a day, as 2026-11-26") @RequestParam(required = false)
          @Nullable String after) {
    Instant day = instant("after", after);
    List<DailyNotes.Closed> closed = notes == null ? List.of() : notes.page(day(day), NOTES);
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noStore())
        .body(closed.stream().map(each -> each.note() + "\n").collect(Collectors.joining()));
  }

  private static LocalDate day(@Nullable Instant instant) {
    return instant == null ? LocalDate.EPOCH : LocalDate.ofInstant(instant, ZoneOffset.UTC);
  }

  private static Query query(
      @Nullable String actor,
      @Nullable String kind,
      @Nullable String object,
      @Nullable String from,
      @Nullable String to) {
    return new Query(
        text("actor", actor),
        text("kind", kind),
        text("object", object),
        instant("from", from),
        instant("to", to));
  }

  private static @Nullable String text(String field, @Nullable String value) {
    if (value == null || value.isEmpty()) {
      return null;
    }
    if (value.length() > MAX_TEXT || value.indexOf('\0') >= 0) {
      throw ProtocolException.malformed(field + " may have " + MAX_TEXT + " characters at most");
    }
    return value;
  }

  private static @Nullable Instant instant(String field, @Nullable String value) {
    if (value == null || value.isEmpty()) {
      return null;
    }
    try {
      Instant instant =
          value.indexOf('T') < 0
              ? LocalDate.parse(value).atStartOfDay(ZoneOffset.UTC).toInstant()
              : Instant.parse(value);
      int year = instant.atOffset(ZoneOffset.UTC).getYear();
      if (year >= 2000 && year <= 9999) {
        return instant;
      }
    } catch (DateTimeException e) {
      // refused below
    }
    throw ProtocolException.malformed(
        field + " is no day and no time in UTC (2026-11-26, 2026-11-26T09:00:00Z)");
  }

  private static void requireLimit(int limit, int most) {
    if (limit < 1 || limit > most) {
      throw ProtocolException.malformed("limit is 1 to " + most);
    }
  }
}
