package io.solidus.edge.gateway.recovers;

import static io.solidus.protocol.RejectionCode.CONTEXT_MISMATCH;
import static io.solidus.protocol.RejectionCode.IDEMPOTENCY_MISMATCH;
import static io.solidus.protocol.RejectionCode.SERIALS_NOT_DISTINCT;
import static io.solidus.protocol.RejectionCode.SERIAL_CONFLICT;
import static io.solidus.protocol.RejectionCode.SHOWN_SIGNATURE_INVALID;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.solidus.edge.gateway.committee.CertificateJson;
import io.solidus.edge.gateway.committee.RefusedByAuthorities;
import io.solidus.edge.gateway.load.Admission;
import io.solidus.edge.gateway.load.InvalidEvidenceTracker;
import io.solidus.edge.gateway.load.SubmissionTimer;
import io.solidus.platform.description.Refuses;
import io.solidus.platform.idempotency.IdempotencyKey;
import io.solidus.platform.problem.Problem;
import io.solidus.platform.problem.ProblemResponses;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RecoverRequest;
import io.solidus.wire.json.Member;
import io.solidus.wire.json.RecoverRequestJson;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/v1/recovers")
@Tag(name = "recovers")
class RecoverController {
  private final RecoverService recovers;
  private final Admission admission;
  private final InvalidEvidenceTracker invalidEvidence;
  private final SubmissionTimer timer;
  private final NetworkId network;

  RecoverController(
      RecoverService recovers,
      Admission admission,
      InvalidEvidenceTracker invalidEvidence,
      SubmissionTimer timer,
      NetworkId network) {
    this.recovers = recovers;
    this.admission = admission;
    this.invalidEvidence = invalidEvidence;
    this.timer = timer;
    this.network = network;
  }

  /**
   * A refusal with what authorities say holds serial numbers of the recover.
   *
   * @param held at most 8, absent when no authority named any; an authority may lie, so a wallet
   *     judges each request itself
   */
  record HeldProblem(
      @JsonUnwrapped Problem problem,
      @Member(max = HeldSerialJson.MAX_ENTRIES, optional = true) List<HeldSerialJson> held) {}

  @PostMapping
  @RefusedByAuthorities
  @Refuses({
    SERIALS_NOT_DISTINCT,
    CONTEXT_MISMATCH,
    SERIAL_CONFLICT,
    SHOWN_SIGNATURE_INVALID,
    IDEMPOTENCY_MISMATCH
  })
  @ApiResponse(responseCode = "200", useReturnTypeSchema = true)
  @ApiResponse(
      responseCode = "409",
      content =
          @Content(
              mediaType = Problem.MEDIA_TYPE,
              schema = @Schema(implementation = HeldProblem.class)))
  @ApiResponse(
      responseCode = "503",
      content =
          @Content(
              mediaType = Problem.MEDIA_TYPE,
              schema = @Schema(implementation = HeldProblem.class)))
  @Operation(
      operationId = "submitRecover",
      summary = "Submit a recover",
      description =
          "Sends the recover to every authority and answers with the verified partial signatures of"
              + " a quorum and their combination. A repeated request gets the same signatures. A"
              + " refusal shows which serial numbers are held, and by which requests. An"
              + " Idempotency-Key, if present, is the core in hexadecimal.")
  CertificateJson submit(
      @Member(pattern = IdempotencyKey.CORE_FORMS)
          @RequestHeader(name = IdempotencyKey.HEADER, required = false)
          @Nullable String key,
      @RequestBody RecoverRequestJson body,
      HttpServletRequest client) {
    return timer.timed(
        SubmissionTimer.Kind.RECOVER, () -> submit(key, body.toDomain(), client.getRemoteAddr()));
  }

  private CertificateJson submit(@Nullable String key, RecoverRequest request, String source) {
    IdempotencyKey.requireCore(key, request.resolve(network).core());
    try {
      return CertificateJson.of(
          admission.run(Admission.RequestClass.RECOVER, () -> recovers.submit(request)));
    } catch (ProtocolException e) {
      invalidEvidence.recordRefusal(source, e.code());
      throw e;
    }
  }

  @ExceptionHandler(SerialsHeldException.class)
  ResponseEntity<HeldProblem> held(SerialsHeldException refusal) {
    Problem problem = Problem.of(refusal.code(), refusal.detail(), ProblemResponses.traceId());
    return ProblemResponses.headers(problem.status())
        .body(new HeldProblem(problem, refusal.held()));
  }
}
