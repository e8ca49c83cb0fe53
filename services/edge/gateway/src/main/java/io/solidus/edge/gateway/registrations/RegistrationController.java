package io.solidus.edge.gateway.registrations;

import static io.solidus.protocol.RejectionCode.ALREADY_REGISTERED;
import static io.solidus.protocol.RejectionCode.ATTESTATION_INVALID;
import static io.solidus.protocol.RejectionCode.UNKNOWN_VERSION;
import static io.solidus.protocol.RejectionCode.WRONG_NETWORK;

import io.solidus.edge.gateway.committee.AuthorityClient;
import io.solidus.edge.gateway.committee.Certificate;
import io.solidus.edge.gateway.committee.CertificateJson;
import io.solidus.edge.gateway.committee.QuorumCollector;
import io.solidus.edge.gateway.committee.RefusedByAuthorities;
import io.solidus.edge.gateway.committee.SignedStatement;
import io.solidus.edge.gateway.load.Admission;
import io.solidus.edge.gateway.load.SubmissionTimer;
import io.solidus.platform.description.Refuses;
import io.solidus.platform.idempotency.IdempotencyKey;
import io.solidus.platform.notes.NoteTrust;
import io.solidus.protocol.Attestation;
import io.solidus.protocol.AttestationCheck;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.NetworkKind;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.protocol.SignedNote;
import io.solidus.wire.Codecs;
import io.solidus.wire.json.Fields;
import io.solidus.wire.json.Member;
import io.solidus.wire.json.RegisterRequestJson;
import io.solidus.wire.v1.IssueRequest;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Clock;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/v1/registrations")
@Tag(name = "registrations")
class RegistrationController {
  private final AuthorityClient authorities;
  private final QuorumCollector quorum;
  private final Admission admission;
  private final SubmissionTimer timer;
  private final NetworkId network;

  /** Empty in an unregulated network. */
  private final Optional<AttestationCheck> attestations;

  RegistrationController(
      AuthorityClient authorities,
      QuorumCollector quorum,
      Admission admission,
      SubmissionTimer timer,
      NetworkId network,
      NetworkKind kind,
      NoteTrust trust,
      Clock clock) {
    this.authorities = authorities;
    this.quorum = quorum;
    this.admission = admission;
    this.timer = timer;
    this.network = network;
    this.attestations =
        kind == NetworkKind.REGULATED
            ? Optional.of(new AttestationCheck(network, trust.registration(), clock))
            : Optional.empty();
  }

  /**
   * A registration to be signed.
   *
   * @param attestationNote the registration authority's signed note on this request
   */
  record Body(
      @Member @Nullable RegisterRequestJson request,
      @Member(min = 1, max = 65536) @Nullable String attestationNote) {}

  @PostMapping("/signatures")
  @RefusedByAuthorities
  @Refuses({WRONG_NETWORK, UNKNOWN_VERSION, ALREADY_REGISTERED, ATTESTATION_INVALID})
  @Operation(
      operationId = "signRegistration",
      summary = "Get the signatures on a first compliance coin",
      description =
          "Needs the attestation that the registration service returns after its checks. The"
              + " attestation contains no identity. An Idempotency-Key, if present, is the core in"
              + " hexadecimal.")
  CertificateJson sign(
      @Member(pattern = IdempotencyKey.CORE_FORMS)
          @RequestHeader(name = IdempotencyKey.HEADER, required = false)
          @Nullable String key,
      @RequestBody Body body) {
    return timer.timed(SubmissionTimer.Kind.REGISTRATION, () -> signed(key, body));
  }

  private CertificateJson signed(@Nullable String key, Body body) {
    RegisterRequest request = Fields.required(body.request(), "request").toDomain();
    IdempotencyKey.requireCore(key, request.statement().core(network));
    String note =
        SignedNote.parse(Fields.required(body.attestationNote(), "attestationNote")).encode();
    IssueRequest issue =
        IssueRequest.newBuilder()
            .setRequest(Codecs.toWire(request))
            .setAttestationNote(note)
            .build();
    return CertificateJson.of(
        admission.run(Admission.RequestClass.REGISTRATION, () -> signed(request, note, issue)));
  }

  /** Every issuer checks the attestation; here it keeps strangers' requests from all of them. */
  private Certificate signed(RegisterRequest request, String note, IssueRequest issue) {
    Attestation unused =
        attestations
            .orElseThrow(() -> ProtocolException.malformed("this network has no registrations"))
            .require(request, note);
    return collect(request.statement(), issue);
  }

  private Certificate collect(RegisterStatement registration, IssueRequest issue) {
    SignedStatement statement =
        new SignedStatement(registration.core(network), Outputs.of(network, registration));
    QuorumCollector.Round round =
        quorum.collect(
            statement, (authority, certificate) -> authorities.issuer(authority).issue(issue));
    return quorum.certificate(statement, round);
  }
}
