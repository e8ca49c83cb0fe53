package io.solidus.edge.gateway.registrations;

import io.solidus.edge.gateway.committee.AuthorityClient;
import io.solidus.edge.gateway.committee.Certificate;
import io.solidus.edge.gateway.committee.CertificateJson;
import io.solidus.edge.gateway.committee.QuorumCollector;
import io.solidus.edge.gateway.committee.SignedStatement;
import io.solidus.edge.gateway.load.Admission;
import io.solidus.edge.gateway.load.SubmissionTimer;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.RegisterRequest;
import io.solidus.protocol.RegisterStatement;
import io.solidus.protocol.SignedNote;
import io.solidus.wire.Codecs;
import io.solidus.wire.json.Fields;
import io.solidus.wire.json.RegisterRequestJson;
import io.solidus.wire.v1.IssueRequest;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
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

  RegistrationController(
      AuthorityClient authorities,
      QuorumCollector quorum,
      Admission admission,
      SubmissionTimer timer,
      NetworkId network) {
    this.authorities = authorities;
    this.quorum = quorum;
    this.admission = admission;
    this.timer = timer;
    this.network = network;
  }

  /**
   * A registration to be signed.
   *
   * @param attestationNote the registration authority's signed note on this request
   */
  record Body(@Nullable RegisterRequestJson request, @Nullable String attestationNote) {}

  @PostMapping("/signatures")
  @Operation(
      summary = "Get the signatures on a first compliance coin",
      description =
          "Needs the attestation that the registration service returns after its checks. The"
              + " attestation contains no identity.")
  CertificateJson sign(@RequestBody Body body) {
    return timer.timed(SubmissionTimer.Kind.REGISTRATION, () -> signed(body));
  }

  private CertificateJson signed(Body body) {
    RegisterRequest request = Fields.required(body.request(), "request").toDomain();
    String note =
        SignedNote.parse(Fields.required(body.attestationNote(), "attestationNote")).encode();
    IssueRequest issue =
        IssueRequest.newBuilder()
            .setRequest(Codecs.toWire(request))
            .setAttestationNote(note)
            .build();
    return CertificateJson.of(
        admission.run(Admission.RequestClass.PAYMENT, () -> collect(request.statement(), issue)));
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
