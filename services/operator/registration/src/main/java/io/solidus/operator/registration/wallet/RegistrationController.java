package io.solidus.operator.registration.wallet;

import static io.solidus.protocol.RejectionCode.ALREADY_REGISTERED;
import static io.solidus.protocol.RejectionCode.IDEMPOTENCY_MISMATCH;
import static io.solidus.protocol.RejectionCode.IDENTITY_POINT;
import static io.solidus.protocol.RejectionCode.POINT_NOT_IN_SUBGROUP;
import static io.solidus.protocol.RejectionCode.POINT_NOT_ON_CURVE;
import static io.solidus.protocol.RejectionCode.PROOF_INVALID;
import static io.solidus.protocol.RejectionCode.SIGNATURE_INVALID;

import io.solidus.operator.registration.RegistrationApplication;
import io.solidus.operator.registration.cases.CaseSubmissionService;
import io.solidus.operator.registration.cases.KycCase;
import io.solidus.operator.registration.cases.RefusalCode;
import io.solidus.platform.bank.Banks;
import io.solidus.platform.description.Refuses;
import io.solidus.platform.idempotency.IdempotencyKey;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NoteSigner;
import io.solidus.wire.json.Base64Url;
import io.solidus.wire.json.Fields;
import io.solidus.wire.json.Member;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
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

/** The wallets' API for registration. */
@RestController
@RequestMapping("/v1")
@Tag(
    name = "Registration",
    description = "A person or an organisation registers once and waits for an operator.")
public class RegistrationController {
  private final NetworkId network;
  private final NoteSigner signer;
  private final CaseSubmissionService submissions;
  private final Banks banks;
  private final ApplicantReader applicants;

  RegistrationController(
      NetworkId network,
      NoteSigner signer,
      CaseSubmissionService submissions,
      Banks banks,
      ApplicantReader applicants) {
    this.network = network;
    this.signer = signer;
    this.submissions = submissions;
    this.banks = banks;
    this.applicants = applicants;
  }

  /**
   * The network, the Ed25519 public key of its attestation signer in base64, and the banks of which
   * a registration names one.
   *
   * @param ownerThresholdPercent an organisation names every owner who holds as much
   */
  public record RegistrationInfo(
      String networkId,
      String notePublicKey,
      List<BankView> banks,
      @Member(min = 0, max = 100) int ownerThresholdPercent) {}

  /** A bank. */
  public record BankView(String id, String name) {}

  /** A case and the token that gives access to it; only the same request returns it again. */
  public record Accepted(
      @Member(format = "uuid") String caseId,
      @Member(bytes = 32) String accessToken,
      @Member(pattern = "pending|approved|refused") String status) {}

  /**
   * A case. An approved one has an attestation, a refused one has a reason.
   *
   * @param reasonCode of the catalogue
   * @param reason the catalogue's sentence for it
   */
  public record CaseView(
      @Member(format = "uuid") String caseId,
      @Member(pattern = "pending|approved|refused") String status,
      @Nullable String attestationNote,
      @Nullable String reasonCode,
      @Nullable String reason) {}

  @GetMapping("/registration/info")
  @Operation(
      operationId = "readRegistrationInfo",
      summary = "The network, the key that verifies attestations, and the banks")
  public RegistrationInfo info() {
    return new RegistrationInfo(
        network.value(),
        signer.publicKey().publicKey().base64(),
        banks.all().stream().map(bank -> new BankView(bank.id(), bank.name())).toList(),
        applicants.ownerThresholdPercent());
  }

  @PostMapping("/registrations")
  @ResponseStatus(HttpStatus.ACCEPTED)
  @Refuses(
      value = {
        IDENTITY_POINT,
        POINT_NOT_ON_CURVE,
        POINT_NOT_IN_SUBGROUP,
        ALREADY_REGISTERED,
        IDEMPOTENCY_MISMATCH,
        PROOF_INVALID,
        SIGNATURE_INVALID
      },
      own =
          @Refuses.Own(
              status = 400,
              codes = {"bank-needed", "unknown-bank"}))
  @Operation(
      operationId = "submitRegistration",
      summary = "Registers a person or an organisation; a repeated request returns the same case")
  public ResponseEntity<Accepted> submit(
      @Member(pattern = IdempotencyKey.FORMS)
          @RequestHeader(name = IdempotencyKey.HEADER, required = false)
          @Nullable String idempotencyKey,
      @RequestBody SubmissionJson submission) {
    String key = IdempotencyKey.of(idempotencyKey).map(IdempotencyKey::value).orElse(null);
    CaseSubmissionService.Receipt receipt =
        submissions.submit(
            applicants.read(submission.person(), submission.organisation()),
            Fields.required(submission.registration(), "registration").toDomain(),
            key,
            banks.require(Objects.requireNonNullElse(submission.bank(), "")));
    KycCase accepted = receipt.kycCase();
    return ResponseEntity.accepted()
        .cacheControl(CacheControl.noStore())
        .body(
            new Accepted(
                accepted.id().toString(),
                Base64Url.encode(receipt.token().bytes()),
                accepted.status().publicId()));
  }

  @GetMapping("/registrations/{caseId}")
  @SecurityRequirement(name = RegistrationApplication.CASE_TOKEN)
  @Operation(
      operationId = "findRegistration",
      summary = "The status of a case: pending, approved or refused")
  public ResponseEntity<CaseView> find(
      @PathVariable UUID caseId,
      @Parameter(hidden = true) @RequestHeader(name = "X-Case-Token", defaultValue = "")
          String token) {
    KycCase found = submissions.open(caseId, token);
    RefusalCode refusal = found.refusalCode();
    return ResponseEntity.ok()
        .cacheControl(CacheControl.noStore())
        .body(
            new CaseView(
                found.id().toString(),
                found.status().publicId(),
                found.attestationNote(),
                refusal == null ? null : refusal.id(),
                refusal == null ? null : refusal.text()));
  }
}
