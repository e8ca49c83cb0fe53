package io.solidus.edge.gateway.transfers;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.solidus.edge.gateway.committee.Authorities;
import io.solidus.edge.gateway.committee.Certificate;
import io.solidus.edge.gateway.committee.QuorumCollector;
import io.solidus.edge.gateway.committee.SignedStatement;
import io.solidus.edge.gateway.redelivery.Redelivery;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.wire.Codecs;
import java.time.Duration;
import java.util.List;
import org.springframework.stereotype.Service;

/** Takes a transfer to every authority and brings back a quorum's answer. */
@Service
public class TransferDesk {
  private static final Duration[] BUCKETS = {
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(250),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofMillis(2500),
    Duration.ofSeconds(5)
  };

  private final Authorities authorities;
  private final QuorumCollector quorum;
  private final Redelivery redelivery;
  private final NetworkId network;
  private final MeterRegistry metrics;

  TransferDesk(
      Authorities authorities,
      QuorumCollector quorum,
      Redelivery redelivery,
      NetworkId network,
      MeterRegistry metrics) {
    this.authorities = authorities;
    this.quorum = quorum;
    this.redelivery = redelivery;
    this.network = network;
    this.metrics = metrics;
  }

  /**
   * @param doubtful whether its sender lately sent what does not verify
   * @throws ProtocolException the reason f+1 authorities gave, or no-quorum
   */
  public Certificate submit(TransferRequest request, boolean doubtful) {
    request.requireContext(network);
    Timer.Sample time = Timer.start(metrics);
    SignedStatement statement = statement(request.statement());
    QuorumCollector.Round round =
        quorum.collect(
            statement, (authority, certificate) -> send(authority, request, certificate, doubtful));
    Certificate certificate = quorum.certificate(statement, round);
    quorum.settle(
        statement,
        round,
        unsigned -> redelivery.remember(with(request, certificate.partials()), unsigned));
    time.stop(
        Timer.builder("solidus.gateway.quorum.time")
            .description("until 2f+1 signatures had verified and were combined")
            .tag("family", request.statement().family().name())
            .serviceLevelObjectives(BUCKETS)
            .register(metrics));
    return certificate;
  }

  /** What a partial signature of a transfer is checked against. */
  public SignedStatement statement(TransferStatement statement) {
    return new SignedStatement(
        statement.core(network), statement.inputDigest(network), statement.outputs());
  }

  private io.solidus.wire.v1.SubmitReply send(
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
