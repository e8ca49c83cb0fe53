package io.solidus.operator.issuance.redemption;

import static io.solidus.protocol.RejectionCode.CONTEXT_MISMATCH;
import static io.solidus.protocol.RejectionCode.IDEMPOTENCY_MISMATCH;
import static io.solidus.protocol.RejectionCode.IDENTITY_POINT;
import static io.solidus.protocol.RejectionCode.POINT_NOT_IN_SUBGROUP;
import static io.solidus.protocol.RejectionCode.POINT_NOT_ON_CURVE;
import static io.solidus.protocol.RejectionCode.PROOF_INVALID;
import static io.solidus.protocol.RejectionCode.SERIALS_NOT_DISTINCT;
import static io.solidus.protocol.RejectionCode.SERIAL_CONFLICT;
import static io.solidus.protocol.RejectionCode.SHOWN_SIGNATURE_INVALID;
import static io.solidus.protocol.RejectionCode.SIGNATURE_INVALID;
import static io.solidus.protocol.RejectionCode.UNKNOWN_CHECKPOINT;
import static io.solidus.protocol.RejectionCode.UNKNOWN_POLICY;

import io.solidus.operator.issuance.vault.RedemptionKeys;
import io.solidus.platform.description.Refuses;
import io.solidus.platform.idempotency.IdempotencyKey;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.SerialNumber;
import io.solidus.protocol.TransferRequest;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.Fields;
import io.solidus.wire.json.Member;
import io.solidus.wire.json.PartialSignatureJson;
import io.solidus.wire.json.TransferRequestJson;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The wallets' API for payouts. No answer contains an account. */
@RestController
@RequestMapping("/v1")
@Tag(name = "Redemptions", description = "Payouts of withdrawals to bank accounts.")
public class RedemptionController {
  private static final int MAX_PARTIALS = 100;

  private final Redemptions redemptions;
  private final RedemptionKeys keys;

  RedemptionController(Redemptions redemptions, RedemptionKeys keys) {
    this.redemptions = redemptions;
    this.keys = keys;
  }

  /** A finished withdrawal and the partial signatures of at least 2f+1 authorities. */
  public record RedemptionSubmission(
      @Member @Nullable TransferRequestJson request,
      @Member(max = MAX_PARTIALS) @Nullable List<PartialSignatureJson> partials) {
    List<PartialSignature> signatures() {
      List<PartialSignatureJson> present = Fields.required(partials, "partials");
      if (present.size() > MAX_PARTIALS) {
        throw ProtocolException.malformed("too many partial signatures");
      }
      return present.stream()
          .map(partial -> Fields.required(partial, "partials").toDomain())
          .toList();
    }
  }

  /**
   * A payout; {@code endToEndId} identifies it on the bank statement. Its status is accepted, sent,
   * settled, failed or returned.
   */
  public record RedemptionState(
      @Member(bytes = 32) String leadSerial,
      @Member(hexBytes = 32) String core,
      @Member(pattern = "accepted|sent|settled|failed|returned") String status,
      @Member(min = 1) long amountMinor,
      @Member(pattern = "SLD[0-9A-F]{32}") String endToEndId,
      Instant acceptedAt) {
    static RedemptionState of(Redemption redemption) {
      return new RedemptionState(
          Base64Url.encode(redemption.lead().bytes()),
          redemption.core().hex(),
          redemption.state().id(),
          redemption.amount().minor(),
          redemption.endToEndId(),
          redemption.acceptedAt());
    }
  }

  /** The X25519 key that wallets seal payout instructions to, in base64url. */
  public record RedemptionKey(@Member(bytes = 32) String publicKey) {}

  @PostMapping("/redemptions")
  @Refuses({
    IDENTITY_POINT,
    POINT_NOT_ON_CURVE,
    POINT_NOT_IN_SUBGROUP,
    SERIALS_NOT_DISTINCT,
    CONTEXT_MISMATCH,
    SERIAL_CONFLICT,
    UNKNOWN_POLICY,
    UNKNOWN_CHECKPOINT,
    IDEMPOTENCY_MISMATCH,
    SIGNATURE_INVALID,
    SHOWN_SIGNATURE_INVALID,
    PROOF_INVALID
  })
  @Operation(
      operationId = "submitRedemption",
      summary = "Request the payout of a finished withdrawal",
      description =
          "One payout per lead serial number. A repeated withdrawal gets the same answer. The optional Idempotency-Key"
              + " must be the core in hexadecimal.")
  public ResponseEntity<RedemptionState> submit(
      @RequestBody RedemptionSubmission body,
      @Member(pattern = IdempotencyKey.CORE_FORMS)
          @RequestHeader(name = IdempotencyKey.HEADER, required = false)
          @Nullable String key) {
    TransferRequest request = Fields.required(body.request(), "request").toDomain();
    List<PartialSignature> partials = body.signatures();
    IdempotencyKey.requireCore(key, redemptions.core(request));
    return answer(RedemptionState.of(redemptions.accept(request, partials)));
  }

  @GetMapping("/redemptions/{leadSerial}")
  @Operation(
      operationId = "findRedemption",
      summary = "The payout of a lead serial number (base64url)")
  public ResponseEntity<RedemptionState> find(@Member(bytes = 32) @PathVariable String leadSerial) {
    return answer(
        RedemptionState.of(
            redemptions.load(SerialNumber.of(Base64Url.decode(leadSerial, "leadSerial")))));
  }

  @GetMapping("/redemption-key")
  @Operation(
      operationId = "readRedemptionKey",
      summary = "The key that wallets seal payout instructions to")
  public ResponseEntity<RedemptionKey> key() {
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noCache())
        .body(new RedemptionKey(Base64Url.encode(keys.publicKey().bytes())));
  }

  private static <T> ResponseEntity<T> answer(T body) {
    return ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(body);
  }
}
