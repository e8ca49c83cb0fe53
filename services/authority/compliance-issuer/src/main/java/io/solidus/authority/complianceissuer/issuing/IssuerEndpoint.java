package io.solidus.authority.complianceissuer.issuing;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.solidus.platform.grpc.Rejections;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.RejectionCode;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.ComplianceIssuerServiceGrpc;
import io.solidus.wire.v1.IssueRequest;
import io.solidus.wire.v1.SubmitReply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * The wallets' way, through gateways. A rule's no is a message; so is a neighbour that is away,
 * because it is retryable.
 */
public class IssuerEndpoint extends ComplianceIssuerServiceGrpc.ComplianceIssuerServiceImplBase {
  private static final Logger LOG = LoggerFactory.getLogger(IssuerEndpoint.class);

  private final Issuing issuing;
  private final IssuingMetrics metrics;

  IssuerEndpoint(Issuing issuing, IssuingMetrics metrics) {
    this.issuing = issuing;
    this.metrics = metrics;
  }

  @Override
  public void issue(IssueRequest request, StreamObserver<SubmitReply> observer) {
    SubmitReply reply;
    try {
      reply = metrics.counted("call", () -> answer(request));
    } catch (RuntimeException e) {
      LOG.error("unforeseen failure: {}", e.getClass().getName());
      observer.onError(Status.INTERNAL.withDescription("internal").asRuntimeException());
      return;
    }
    observer.onNext(reply);
    observer.onCompleted();
  }

  private SubmitReply answer(IssueRequest request) {
    try {
      return Rejections.reply(
          issuing.issue(Codecs.toDomain(request.getRequest()), request.getAttestationNote()));
    } catch (ProtocolException refusal) {
      return Rejections.reply(refusal);
    } catch (DataAccessException | TransactionException e) {
      LOG.warn("the database did not serve a request: {}", e.getClass().getSimpleName());
      return Rejections.reply(
          new ProtocolException(RejectionCode.UNAVAILABLE, "the database is not available"));
    }
  }
}
