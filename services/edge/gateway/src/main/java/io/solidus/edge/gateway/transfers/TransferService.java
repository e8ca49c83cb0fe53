package io.solidus.edge.gateway.transfers;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.solidus.edge.gateway.committee.AuthorityClient;
import io.solidus.edge.gateway.committee.Certificate;
import io.solidus.edge.gateway.committee.QuorumCollector;
import io.solidus.edge.gateway.committee.SignedStatement;
import io.solidus.edge.gateway.load.SubmissionTimer;
import io.solidus.edge.gateway.redelivery.RedeliveryService;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.SubmitReply;
import java.util.List;
import org.springframework.stereotype.Service;

/** Sends a transfer to every authority and returns the certificate of a quorum. */
@Service
public class TransferService {
  private final AuthorityClient authorities;
  private final QuorumCollector quorum;
  private final RedeliveryService redelivery;
  private final NetworkId network;
  private final MeterRegistry metrics;

  TransferService(
      AuthorityClient authorities,
      QuorumCollector quorum,
      RedeliveryService redelivery,
      NetworkId network,
      MeterRegistry metrics) {
    this.authorities = authorities;
    this.quorum = quorum;
    this.redelivery = redelivery;
    this.network = network;
    this.metrics = metrics;
  }

  /**
   * Collects the certificate and remembers the transfer for authorities that have not signed.
   *
   * @param doubtful whether the client's network recently sent invalid evidence
   * @throws ProtocolException context-mismatch, the refusal that f+1 authorities gave, or no-quorum
   */
  public Certificate submit(TransferRequest request, boolean doubtful) {
    request.requireContext(network);
    Timer.Sample time = Timer.start(metrics);
    SignedStatement statement = statement(request.statement());
    QuorumCollector.Round round =
        quorum.collect(
            statement, (authority, certificate) -> send(authority, request, certificate, doubtful));
    Certificate certificate = quorum.certificate(statement, round);
    quorum.collectLateReplies(
        statement,
        round,
        unsigned -> redelivery.remember(with(request, certificate.partials()), unsigned));
    time.stop(
        Timer.builder("solidus.gateway.quorum.time")
            .description("until 2f+1 signatures had verified and were combined")
            .tag("family", request.statement().family().name())
            .serviceLevelObjectives(SubmissionTimer.buckets())
            .register(metrics));
    return certificate;
  }

  private SignedStatement statement(TransferStatement statement) {
    return new SignedStatement(statement.core(network), Outputs.of(network, statement));
  }

  private SubmitReply send(
      int authority,
      TransferRequest request,
      List<PartialSignature> certificate,
      boolean doubtful) {
    TransferRequest sent = certificate.isEmpty() ? request : with(request, certificate);
    io.solidus.wire.v1.TransferRequest message =
        Codecs.toWire(sent).toBuilder().setDoubtful(doubtful).build();
    return authorities.submit(
        authority, request.statement().leadSerial(), shard -> shard.submitTransfer(message));
  }

  private static TransferRequest with(TransferRequest request, List<PartialSignature> certificate) {
    return new TransferRequest(
        request.statement(), request.evidence(), request.attachments(), certificate);
  }
}
