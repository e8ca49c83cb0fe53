package io.solidus.edge.gateway.mints;

import static io.solidus.protocol.RejectionCode.APPROVAL_INVALID;
import static io.solidus.protocol.RejectionCode.MINT_CAP_EXCEEDED;
import static io.solidus.protocol.RejectionCode.MINT_CAP_USED_UP;
import static io.solidus.protocol.RejectionCode.MINT_CONFLICT;
import static io.solidus.protocol.RejectionCode.SERIAL_CONFLICT;
import static io.solidus.protocol.RejectionCode.STALE_POLICY;
import static io.solidus.protocol.RejectionCode.UNKNOWN_POLICY;

import io.solidus.edge.gateway.committee.AuthorityClient;
import io.solidus.edge.gateway.committee.Certificate;
import io.solidus.edge.gateway.committee.CertificateJson;
import io.solidus.edge.gateway.committee.QuorumCollector;
import io.solidus.edge.gateway.committee.RefusedByAuthorities;
import io.solidus.edge.gateway.committee.SignedStatement;
import io.solidus.edge.gateway.load.Admission;
import io.solidus.edge.gateway.load.SubmissionTimer;
import io.solidus.edge.gateway.redelivery.RedeliveryService;
import io.solidus.platform.description.Refuses;
import io.solidus.platform.idempotency.IdempotencyKey;
import io.solidus.protocol.MintRequest;
import io.solidus.protocol.MintStatement;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.SerialNumber;
import io.solidus.wire.Codecs;
import io.solidus.wire.json.Member;
import io.solidus.wire.json.MintRequestJson;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/v1/mints")
@Tag(name = "mints")
class MintController {
  private final AuthorityClient authorities;
  private final QuorumCollector quorum;
  private final RedeliveryService redelivery;
  private final Admission admission;
  private final SubmissionTimer timer;
  private final NetworkId network;

  MintController(
      AuthorityClient authorities,
      QuorumCollector quorum,
      RedeliveryService redelivery,
      Admission admission,
      SubmissionTimer timer,
      NetworkId network) {
    this.authorities = authorities;
    this.quorum = quorum;
    this.redelivery = redelivery;
    this.admission = admission;
    this.timer = timer;
    this.network = network;
  }

  @PostMapping
  @RefusedByAuthorities
  @Refuses({
    SERIAL_CONFLICT,
    MINT_CONFLICT,
    MINT_CAP_EXCEEDED,
    MINT_CAP_USED_UP,
    STALE_POLICY,
    UNKNOWN_POLICY,
    APPROVAL_INVALID
  })
  @Operation(
      operationId = "signMint",
      summary = "Get the signatures on an approved mint",
      description =
          "Needs the signatures of two approvers, which the issuance service returns. A repeated"
              + " request gets the same signatures. An Idempotency-Key, if present, is the core in"
              + " hexadecimal.")
  CertificateJson submit(
      @Member(pattern = IdempotencyKey.CORE_FORMS)
          @RequestHeader(name = IdempotencyKey.HEADER, required = false)
          @Nullable String key,
      @RequestBody MintRequestJson body) {
    return timer.timed(
        SubmissionTimer.Kind.MINT,
        () -> {
          MintRequest request = body.toDomain();
          IdempotencyKey.requireCore(key, request.statement().core(network));
          return CertificateJson.of(
              admission.run(Admission.RequestClass.MINT, () -> collect(request)));
        });
  }

  private Certificate collect(MintRequest request) {
    MintStatement mint = request.statement();
    SerialNumber serial = mint.serial(network);
    SignedStatement statement = new SignedStatement(mint.core(network), Outputs.of(network, mint));
    QuorumCollector.Round round =
        quorum.collect(
            statement,
            (authority, certificate) ->
                authorities.submit(
                    authority, serial, shard -> shard.submitMint(Codecs.toWire(request))));
    Certificate certificate = quorum.certificate(statement, round);
    quorum.collectLateReplies(statement, round, unsigned -> redelivery.remember(request, unsigned));
    return certificate;
  }
}
