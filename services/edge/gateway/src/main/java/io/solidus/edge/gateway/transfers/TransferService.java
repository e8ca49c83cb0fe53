package io.solidus.edge.gateway.transfers;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.solidus.edge.gateway.committee.AuthorityClient;
import io.solidus.edge.gateway.committee.Certificate;
import io.solidus.edge.gateway.committee.QuorumCollector;
import io.solidus.edge.gateway.committee.SignedStatement;
import io.solidus.edge.gateway.load.SubmissionTimer;
import io.solidus.edge.gateway.redelivery.RedeliveryService;
import io.solidus.protocol.Committee;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.Outputs;
import io.solidus.protocol.PartialSignature;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.TransferFamilies;
import io.solidus.protocol.TransferRequest;
import io.solidus.protocol.TransferStatement;
import io.solidus.prover.KeySet;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.SubmitReply;
import java.time.Clock;
import java.util.List;
import org.springframework.stereotype.Service;

/** Sends a transfer to every authority and returns the certificate of a quorum. */
@Service
public class TransferService {
  private final AuthorityClient authorities;
  private final Committee committee;
  private final QuorumCollector quorum;
  private final RecentCores recent;
  private final RedeliveryService redelivery;
  private final NetworkId network;
  private final TransferFamilies families;
  private final MeterRegistry metrics;
  private final Clock clock;

  TransferService(
      AuthorityClient authorities,
      Committee committee,
      QuorumCollector quorum,
      RecentCores recent,
      RedeliveryService redelivery,
      NetworkId network,
      KeySet keys,
      MeterRegistry metrics,
      Clock clock) {
    this.authorities = authorities;
    this.committee = committee;
    this.quorum = quorum;
    this.recent = recent;
    this.redelivery = redelivery;
    this.network = network;
    this.families = keys.transfers();
    this.metrics = metrics;
    this.clock = clock;
  }

  /**
   * The request with valid votes of its certificate only, as many as one needs, and with none of
   * them when they are too few for the finish rule. So no authority verifies votes that anybody
   * made up.
   */
  TransferRequest withoutJunk(TransferRequest request) {
    if (request.certificate().isEmpty()) {
      return request;
    }
    List<PartialSignature> votes =
        committee.votesFor(
            request.statement().core(network),
            request.certificate(),
            committee.certificateVotes(),
            clock.instant());
    return with(request, votes.size() < committee.weakQuorum() ? List.of() : votes);
  }

  /**
   * Collects the certificate and remembers the transfer for authorities that have not signed.
   *
   * @param doubtful whether the client's network recently sent invalid evidence
   * @throws ProtocolException malformed-request for a family that this network does not have,
   *     context-mismatch, the refusal that f+1 authorities gave, no-quorum, or overloaded while the
   *     same core is submitted too many times at once
   */
  public Certificate submit(TransferRequest request, boolean doubtful) {
    families.require(request.statement().family());
    request.requireContext(network);
    io.solidus.wire.v1.TransferRequest message =
        Codecs.toWire(request).toBuilder().setDoubtful(doubtful).build();
    return recent.answer(
        request.statement().core(network),
        Digest32.sha256(message.getEvidence().toByteArray()),
        () -> collect(request, message));
  }

  private Certificate collect(TransferRequest request, io.solidus.wire.v1.TransferRequest message) {
    Timer.Sample time = Timer.start(metrics);
    SignedStatement statement = statement(request.statement());
    QuorumCollector.Round round =
        quorum.collect(
            statement,
            (authority, votes) ->
                send(authority, request, votes.isEmpty() ? message : with(message, votes)));
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
      int authority, TransferRequest request, io.solidus.wire.v1.TransferRequest message) {
    return authorities.submit(
        authority, request.statement().leadSerial(), shard -> shard.submitTransfer(message));
  }

  private io.solidus.wire.v1.TransferRequest with(
      io.solidus.wire.v1.TransferRequest message, List<PartialSignature> votes) {
    return message.toBuilder()
        .clearCertificate()
        .addAllCertificate(committee.enough(votes).stream().map(Codecs::toWire).toList())
        .build();
  }

  private TransferRequest with(TransferRequest request, List<PartialSignature> votes) {
    return new TransferRequest(
        request.statement(), request.evidence(), request.attachments(), committee.enough(votes));
  }
}
