package io.solidus.edge.gateway.recovers;

import io.solidus.edge.gateway.committee.AuthorityClient;
import io.solidus.edge.gateway.committee.Certificate;
import io.solidus.edge.gateway.committee.QuorumCollector;
import io.solidus.edge.gateway.committee.SignedStatement;
import io.solidus.edge.gateway.redelivery.RedeliveryService;
import io.solidus.edge.gateway.transfers.RecentCores;
import io.solidus.protocol.Digest32;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RecoverRequest;
import io.solidus.protocol.ResolvedRecover;
import io.solidus.protocol.SerialNumber;
import io.solidus.wire.Codecs;
import org.springframework.stereotype.Service;

/** Sends a recover to every authority and returns the certificate of a quorum. */
@Service
class RecoverService {
  private final AuthorityClient authorities;
  private final QuorumCollector quorum;
  private final RecentCores recent;
  private final RedeliveryService redelivery;
  private final NetworkId network;

  RecoverService(
      AuthorityClient authorities,
      QuorumCollector quorum,
      RecentCores recent,
      RedeliveryService redelivery,
      NetworkId network) {
    this.authorities = authorities;
    this.quorum = quorum;
    this.recent = recent;
    this.redelivery = redelivery;
    this.network = network;
  }

  /**
   * Collects the certificate and remembers the recover for authorities that have not signed.
   *
   * @throws SerialsHeldException when authorities say which serial numbers are held
   * @throws ProtocolException what is wrong with the recover itself, the refusal that f+1
   *     authorities gave, no-quorum, or overloaded
   */
  Certificate submit(RecoverRequest request) {
    request.requireContext(network);
    ResolvedRecover resolved = request.resolve(network);
    io.solidus.wire.v1.RecoverRequest message = Codecs.toWire(request);
    return recent.answer(
        resolved.core(),
        Digest32.sha256(message.toByteArray()),
        () -> collect(request, resolved, message));
  }

  private Certificate collect(
      RecoverRequest request, ResolvedRecover resolved, io.solidus.wire.v1.RecoverRequest message) {
    SerialNumber lead = resolved.serials().getFirst();
    SignedStatement statement = new SignedStatement(resolved.core(), resolved.signed());
    QuorumCollector.Round round =
        quorum.collect(
            statement,
            (authority, votes) ->
                authorities.submit(authority, lead, shard -> shard.submitRecover(message)));
    try {
      Certificate certificate = quorum.certificate(statement, round);
      quorum.collectLateReplies(
          statement, round, unsigned -> redelivery.remember(request, unsigned));
      return certificate;
    } catch (ProtocolException refusal) {
      throw round.held().isEmpty() ? refusal : new SerialsHeldException(refusal, round.held());
    }
  }
}
