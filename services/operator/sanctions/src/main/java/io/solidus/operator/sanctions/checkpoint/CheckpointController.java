package io.solidus.operator.sanctions.checkpoint;

import io.solidus.platform.description.Refuses;
import io.solidus.platform.security.Operator;
import io.solidus.platform.security.Roles;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.util.List;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.ServletWebRequest;

/** Publishes checkpoints for operators and serves them to everyone. */
@RestController
@Tag(name = "Checkpoints", description = "Published lists of addresses, as signed notes.")
public class CheckpointController {
  static final String NOTE = "text/plain;charset=UTF-8";
  private static final int PAGE = 100;
  private static final CacheControl UNCHANGING =
      CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable();

  private final Checkpoints checkpoints;
  private final CheckpointStore store;
  private final Heartbeats heartbeats;

  CheckpointController(Checkpoints checkpoints, CheckpointStore store, Heartbeats heartbeats) {
    this.checkpoints = checkpoints;
    this.store = store;
    this.heartbeats = heartbeats;
  }

  /**
   * A checkpoint as the API shows it.
   *
   * @param note the signed note
   * @param listDigest SHA-256 of the list, hexadecimal
   */
  public record CheckpointView(long version, int size, String listDigest, String note) {
    static CheckpointView of(PublishedCheckpoint checkpoint) {
      return new CheckpointView(
          checkpoint.version(),
          checkpoint.size(),
          checkpoint.listDigest().hex(),
          checkpoint.note());
    }
  }

  /** Checkpoints, the newest first; {@code next} is the next cursor, 0 at the end. */
  public record Page(List<CheckpointView> checkpoints, long next) {}

  /**
   * Publishes the approved list as the next version. Answers 200 with the newest version when the
   * list has not changed.
   */
  @Operation(summary = "Publishes the listed addresses as a checkpoint")
  @PostMapping("/admin/v1/sanctions/checkpoints")
  @ApiResponse(responseCode = "200", useReturnTypeSchema = true)
  @ApiResponse(responseCode = "201", useReturnTypeSchema = true)
  @PreAuthorize("hasRole('" + Roles.SANCTIONS_OPERATOR + "')")
  public ResponseEntity<CheckpointView> publish() {
    Checkpoints.Result result = checkpoints.publish(Operator.current().subject());
    return ResponseEntity.status(result.created() ? HttpStatus.CREATED : HttpStatus.OK)
        .body(CheckpointView.of(result.checkpoint()));
  }

  /**
   * Reads one page of the published checkpoints.
   *
   * @param cursor {@code next} of the previous page
   */
  @Operation(summary = "Checkpoints, the newest first")
  @GetMapping("/admin/v1/sanctions/checkpoints")
  @PreAuthorize("hasAnyRole('" + Roles.SANCTIONS_OPERATOR + "', '" + Roles.AUDITOR + "')")
  public Page page(@RequestParam(defaultValue = "0") long cursor) {
    List<PublishedCheckpoint> page = store.page(cursor > 0 ? cursor : Long.MAX_VALUE, PAGE);
    return new Page(
        page.stream().map(CheckpointView::of).toList(),
        page.size() == PAGE ? page.getLast().version() : 0);
  }

  /** The newest checkpoint as a signed note. */
  @Refuses(RejectionCode.NOT_FOUND)
  @Operation(operationId = "readCheckpoint", summary = "The newest checkpoint as a signed note")
  @GetMapping(path = "/v1/sanctions/checkpoint", produces = NOTE)
  public ResponseEntity<String> newest() {
    return note(
        store.newest().orElseThrow(CheckpointController::notFound).note(), CacheControl.noCache());
  }

  /** One version as a signed note. */
  @Operation(operationId = "readCheckpointVersion", summary = "One version as a signed note")
  @GetMapping(path = "/v1/sanctions/checkpoints/{version}", produces = NOTE)
  public ResponseEntity<String> version(@PathVariable long version) {
    return note(store.find(version).orElseThrow(CheckpointController::notFound).note(), UNCHANGING);
  }

  /** The complete list of a version: its keys ascending, 20 bytes each. */
  @ApiResponse(responseCode = "200", useReturnTypeSchema = true)
  @ApiResponse(responseCode = "304", description = "Not Modified", content = @Content)
  @Operation(
      operationId = "readSanctionList",
      summary = "The complete list of a version: its keys ascending, 20 bytes each")
  @GetMapping(
      path = "/v1/sanctions/checkpoints/{version}/list",
      produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
  public ResponseEntity<byte[]> list(@PathVariable long version, ServletWebRequest request) {
    PublishedCheckpoint checkpoint =
        store.find(version).orElseThrow(CheckpointController::notFound);
    String etag = '"' + checkpoint.listDigest().hex() + '"';
    if (request.checkNotModified(etag)) {
      return ResponseEntity.status(HttpStatus.NOT_MODIFIED)
          .eTag(etag)
          .cacheControl(UNCHANGING)
          .build();
    }
    return ResponseEntity.ok()
        .eTag(etag)
        .cacheControl(UNCHANGING)
        .body(store.keys(version).orElseThrow(CheckpointController::notFound));
  }

  /** A new heartbeat as a signed note. */
  @Operation(operationId = "readHeartbeat", summary = "A new heartbeat as a signed note")
  @GetMapping(path = "/v1/sanctions/heartbeat", produces = NOTE)
  public ResponseEntity<String> heartbeat() {
    return note(heartbeats.sign(), CacheControl.noStore());
  }

  private static ResponseEntity<String> note(String note, CacheControl caching) {
    return ResponseEntity.ok().cacheControl(caching).body(note);
  }

  private static ProtocolException notFound() {
    return new ProtocolException(RejectionCode.NOT_FOUND, "no such checkpoint");
  }
}
