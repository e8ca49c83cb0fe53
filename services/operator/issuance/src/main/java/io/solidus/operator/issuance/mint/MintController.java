package io.solidus.operator.issuance.mint;

import static io.solidus.protocol.RejectionCode.IDEMPOTENCY_MISMATCH;
import static io.solidus.protocol.RejectionCode.IDENTITY_POINT;
import static io.solidus.protocol.RejectionCode.INSUFFICIENT_FUNDS;
import static io.solidus.protocol.RejectionCode.MINT_CAP_EXCEEDED;
import static io.solidus.protocol.RejectionCode.MINT_CONFLICT;
import static io.solidus.protocol.RejectionCode.NOT_FOUND;
import static io.solidus.protocol.RejectionCode.POINT_NOT_IN_SUBGROUP;
import static io.solidus.protocol.RejectionCode.POINT_NOT_ON_CURVE;
import static io.solidus.protocol.RejectionCode.PROOF_INVALID;
import static io.solidus.protocol.RejectionCode.UNAUTHORIZED;

import io.solidus.platform.description.Refuses;
import io.solidus.platform.idempotency.IdempotencyKey;
import io.solidus.protocol.MintId;
import io.solidus.protocol.MintRequest;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.BlindedCoinJson;
import io.solidus.wire.json.Fields;
import io.solidus.wire.json.Member;
import io.solidus.wire.json.MintApprovalJson;
import io.solidus.wire.json.MintStatementJson;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The wallets' API for mints. */
@RestController
@RequestMapping("/v1/mints")
@Tag(name = "Mints", description = "A coin against a funding; two approvers have to approve it.")
public class MintController {
  private final Mints mints;

  MintController(Mints mints) {
    this.mints = mints;
  }

  /** A mint request: mintId 32 bytes, cm 32, k 96, proof 576, all base64url. */
  public record MintJson(
      @Member(bytes = 32) @Nullable String mintId,
      @Member(min = 1) @Nullable Long valueMinor,
      @Member(bytes = 32) @Nullable String cm,
      @Member(bytes = 96) @Nullable String k,
      @Member @Nullable Integer circuitVersion,
      @Member(bytes = 576) @Nullable String proof) {

    MintRequest toDomain() {
      return new MintRequest(
          new MintStatementJson(mintId, valueMinor, new BlindedCoinJson(cm, k)).toDomain(),
          Fields.required(circuitVersion, "circuitVersion"),
          Base64Url.decode(proof, "proof"),
          List.of());
    }
  }

  /** A mint request with its funding and the access token of that. */
  public record MintSubmission(
      @Member(min = 1, max = 64, pattern = "[A-Za-z0-9._:-]*") @Nullable String fundingId,
      @Member(max = 256) @Nullable String accessToken,
      @Member @Nullable MintJson mint) {
    @Override
    public String toString() {
      return "MintSubmission[redacted]";
    }
  }

  /** The state of a mint; {@code approvals} is empty until there are two. */
  public record MintState(
      @Member(bytes = 32) String mintId,
      @Member(pattern = "awaiting-approval|approved|refused") String status,
      List<MintApprovalJson> approvals) {
    static MintState of(Mint mint) {
      boolean approved = mint.status() == MintStatus.APPROVED;
      return new MintState(
          Base64Url.encode(mint.id().bytes()),
          mint.status().id(),
          approved ? mint.approvals().stream().map(MintApprovalJson::of).toList() : List.of());
    }
  }

  @PostMapping
  @ResponseStatus(HttpStatus.ACCEPTED)
  @Refuses({
    IDENTITY_POINT,
    POINT_NOT_ON_CURVE,
    POINT_NOT_IN_SUBGROUP,
    UNAUTHORIZED,
    NOT_FOUND,
    MINT_CONFLICT,
    MINT_CAP_EXCEEDED,
    IDEMPOTENCY_MISMATCH,
    INSUFFICIENT_FUNDS,
    PROOF_INVALID
  })
  @Operation(
      operationId = "requestMint",
      summary = "Request a coin against a funding",
      description =
          "Reserves the value from the funding. A repeated request changes nothing. The optional Idempotency-Key must be the core"
              + " in hexadecimal.")
  public ResponseEntity<MintState> submit(
      @RequestBody MintSubmission body,
      @Member(pattern = IdempotencyKey.CORE_FORMS)
          @RequestHeader(name = IdempotencyKey.HEADER, required = false)
          @Nullable String key) {
    MintRequest request = Fields.required(body.mint(), "mint").toDomain();
    IdempotencyKey.requireCore(key, mints.core(request));
    Mint mint =
        mints.request(
            Fields.required(body.fundingId(), "fundingId"),
            Fields.required(body.accessToken(), "accessToken"),
            request);
    return ResponseEntity.accepted().cacheControl(CacheControl.noStore()).body(MintState.of(mint));
  }

  @GetMapping("/{mintId}")
  @Operation(
      operationId = "findMint",
      summary = "The status of a mint: awaiting-approval, approved (with its approvals) or refused")
  public ResponseEntity<MintState> find(@Member(bytes = 32) @PathVariable String mintId) {
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noStore())
        .body(MintState.of(mints.load(MintId.of(Base64Url.decode(mintId, "mintId")))));
  }
}
