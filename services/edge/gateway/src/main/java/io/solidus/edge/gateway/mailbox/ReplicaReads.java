package io.solidus.edge.gateway.mailbox;

import io.micrometer.core.instrument.MeterRegistry;
import io.solidus.edge.gateway.load.Admission;
import io.solidus.protocol.MailReading;
import io.solidus.protocol.NetworkId;
import io.solidus.protocol.ProtocolException;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Clock;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/**
 * Gives readings of the mailbox's tables their places. An authority's replica signs what it asks
 * for and has places of its own, so no stranger keeps a list from being signed. All others have
 * those of reads; so has a signature that does not count, because a refusal would only be another
 * answer.
 */
@Component
class ReplicaReads {
  private final ReplicaSigners signers;
  private final NetworkId network;
  private final Admission admission;
  private final Clock clock;
  private final MeterRegistry metrics;

  ReplicaReads(
      ReplicaSigners signers,
      NetworkId network,
      Admission admission,
      Clock clock,
      MeterRegistry metrics) {
    this.signers = signers;
    this.network = network;
    this.admission = admission;
    this.clock = clock;
    this.metrics = metrics;
  }

  <A> A run(HttpServletRequest request, Supplier<A> work) {
    OptionalInt replica = replica(request);
    if (replica.isEmpty()) {
      return admission.run(Admission.RequestClass.READ, work);
    }
    int authority = replica.getAsInt();
    metrics
        .counter("solidus.gateway.mail.replica.reads", "authority", Integer.toString(authority))
        .increment();
    return admission.runForReplica(authority, work);
  }

  /** The authority whose replica signed the request; empty for a request of anybody. */
  private OptionalInt replica(HttpServletRequest request) {
    String header = request.getHeader(MailReading.HEADER);
    if (header == null) {
      return OptionalInt.empty();
    }
    String query = request.getQueryString();
    String target = request.getRequestURI() + (query == null ? "" : "?" + query);
    try {
      MailReading.Claim claim = MailReading.parse(header, target);
      int authority = claim.reading().authority();
      return signers.knows(authority)
              && claim.isBy(signers.of(authority), network, clock.instant().getEpochSecond())
          ? OptionalInt.of(authority)
          : OptionalInt.empty();
    } catch (ProtocolException e) {
      return OptionalInt.empty();
    }
  }
}
