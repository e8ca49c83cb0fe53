package io.solidus.edge.gateway.transfers;

import static io.solidus.protocol.RejectionCode.CONTEXT_MISMATCH;
import static io.solidus.protocol.RejectionCode.IDEMPOTENCY_MISMATCH;
import static io.solidus.protocol.RejectionCode.SERIALS_NOT_DISTINCT;
import static io.solidus.protocol.RejectionCode.SERIAL_CONFLICT;
import static io.solidus.protocol.RejectionCode.SHOWN_SIGNATURE_INVALID;
import static io.solidus.protocol.RejectionCode.STALE_CHECKPOINT;
import static io.solidus.protocol.RejectionCode.STALE_PERIOD;
import static io.solidus.protocol.RejectionCode.STALE_POLICY;
import static io.solidus.protocol.RejectionCode.UNKNOWN_CHECKPOINT;
import static io.solidus.protocol.RejectionCode.UNKNOWN_POLICY;

import io.solidus.edge.gateway.coins.CoinStateService;
import io.solidus.edge.gateway.committee.Certificate;
import io.solidus.edge.gateway.committee.CertificateJson;
import io.solidus.edge.gateway.committee.RefusedByAuthorities;
import io.solidus.edge.gateway.load.Admission;
import io.solidus.edge.gateway.load.InvalidEvidenceTracker;
import io.solidus.edge.gateway.load.SubmissionTimer;
import io.solidus.edge.gateway.tokens.TokenGate;
import io.solidus.platform.description.Refuses;
import io.solidus.platform.idempotency.IdempotencyKey;
import io.solidus.protocol.FieldElement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TxCore;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.Member;
import io.solidus.wire.json.TransferRequestJson;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/v1/transfers")
@Tag(name = "transfers")
class TransferController {
  private final TransferService transfers;
  private final CoinStateService coins;
  private final Admission admission;
  private final InvalidEvidenceTracker invalidEvidence;
  private final SubmissionTimer timer;
  private final NetworkId network;
  private final TokenGate tokens;

  TransferController(
      TransferService transfers,
      CoinStateService coins,
      Admission admission,
      InvalidEvidenceTracker invalidEvidence,
      SubmissionTimer timer,
      NetworkId network,
      TokenGate tokens) {
    this.transfers = transfers;
    this.coins = coins;
    this.admission = admission;
    this.invalidEvidence = invalidEvidence;
    this.timer = timer;
    this.network = network;
    this.tokens = tokens;
  }

  @PostMapping
  @RefusedByAuthorities
  @Refuses({
    SERIALS_NOT_DISTINCT,
    CONTEXT_MISMATCH,
    SERIAL_CONFLICT,
    STALE_POLICY,
    UNKNOWN_POLICY,
    STALE_PERIOD,
    STALE_CHECKPOINT,
    UNKNOWN_CHECKPOINT,
    SHOWN_SIGNATURE_INVALID,
    IDEMPOTENCY_MISMATCH
  })
  @Operation(
      operationId = "submitTransfer",
      summary = "Submit a transfer",
      description =
          "Sends the transfer to every authority and answers with the verified partial signatures"
              + " of a quorum and their combination. A repeated request gets the same signatures."
              + " An Idempotency-Key, if present, is the core in hexadecimal.")
  CertificateJson submit(
      @Member(pattern = IdempotencyKey.CORE_FORMS)
          @RequestHeader(name = IdempotencyKey.HEADER, required = false)
          @Nullable String key,
      @RequestBody TransferRequestJson body,
      HttpServletRequest client) {
    return timer.timed(
        SubmissionTimer.Kind.TRANSFER, () -> submit(key, body, client.getRemoteAddr()));
  }

  private CertificateJson submit(@Nullable String key, TransferRequestJson body, String source) {
    boolean doubtful = invalidEvidence.isDoubtful(source);
    try {
      return CertificateJson.of(
          admission.run(
              doubtful ? Admission.RequestClass.DOUBTFUL_PAYMENT : Admission.RequestClass.PAYMENT,
              () -> submit(request(key, body), source, doubtful)));
    } catch (ProtocolException e) {
      invalidEvidence.recordRefusal(source, e.code());
      throw e;
    }
  }

  /** Decoding and hashing are work, so they are done in the request's place. */
  private TransferRequest request(@Nullable String key, TransferRequestJson body) {
    TransferRequest request = body.toDomain();
    IdempotencyKey.requireCore(key, request.statement().core(network));
    return request;
  }

  private Certificate submit(TransferRequest request, String source, boolean doubtful) {
    TransferRequest stripped = transfers.withoutJunk(request);
    boolean junk = !request.certificate().isEmpty() && stripped.certificate().isEmpty();
    if (junk) {
      invalidEvidence.recordInvalid(source);
    }
    return transfers.submit(stripped, doubtful || junk);
  }

  @GetMapping("/{core}")
  @RefusedByAuthorities
  @Refuses({
    SERIALS_NOT_DISTINCT,
    CONTEXT_MISMATCH,
    SERIAL_CONFLICT,
    STALE_POLICY,
    UNKNOWN_POLICY,
    STALE_PERIOD,
    STALE_CHECKPOINT,
    UNKNOWN_CHECKPOINT,
    SHOWN_SIGNATURE_INVALID
  })
  @Operation(
      operationId = "findTransfer",
      summary = "Get the signatures on a submitted transfer",
      description =
          "Finds the transfer by its lead serial number (base64url) and collects its signatures"
              + " again.")
  CertificateJson find(
      @Member(hexBytes = 32) @PathVariable String core,
      @Member(bytes = 32) @RequestParam String lead,
      @Parameter(hidden = true) // a client that is generated would ask for it
          @RequestHeader(name = HttpHeaders.AUTHORIZATION, required = false)
          @Nullable String authorization) {
    SerialNumber serial = new SerialNumber(FieldElement.of(Base64Url.decode(lead, "lead")));
    TxCore wanted = TxCore.fromHex(core);
    return admission.run(
        tokens.classOf(authorization, Admission.RequestClass.LOOK_UP), () -> find(serial, wanted));
  }

  private CertificateJson find(SerialNumber lead, TxCore wanted) {
    ProtocolException refusal =
        new ProtocolException(RejectionCode.NOT_FOUND, "no authority has this transfer");
    for (TransferRequest request : coins.storedRequests(lead, wanted)) {
      try {
        return CertificateJson.of(transfers.submit(request, false));
      } catch (ProtocolException e) {
        refusal = e; // the evidence of the next request may be valid
      }
    }
    throw refusal;
  }
}
