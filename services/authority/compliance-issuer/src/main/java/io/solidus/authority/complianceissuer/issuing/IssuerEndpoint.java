package io.solidus.authority.complianceissuer.issuing;

import io.grpc.stub.StreamObserver;
import io.solidus.authority.common.GrpcReplies;
import io.solidus.platform.grpc.Rejections;
import io.solidus.wire.Codecs;
import io.solidus.wire.v1.ComplianceIssuerServiceGrpc;
import io.solidus.wire.v1.IssueRequest;
import io.solidus.wire.v1.SubmitReply;

/**
 * Serves registrations of wallets, which arrive through gateways. Broken rules and an unavailable
 * signer or database are reply messages with a rejection.
 */
public class IssuerEndpoint extends ComplianceIssuerServiceGrpc.ComplianceIssuerServiceImplBase {

  private final IssuingService issuing;
  private final IssuingMetrics metrics;

  IssuerEndpoint(IssuingService issuing, IssuingMetrics metrics) {
    this.issuing = issuing;
    this.metrics = metrics;
  }

  @Override
  public void issue(IssueRequest request, StreamObserver<SubmitReply> observer) {
    GrpcReplies.answer(
        observer, () -> metrics.counted("call", () -> reply(request)), GrpcReplies::rejectedSubmit);
  }

  private SubmitReply reply(IssueRequest request) {
    try {
      return Rejections.reply(
          issuing.issue(Codecs.toDomain(request.getRequest()), request.getAttestationNote()));
    } catch (RuntimeException e) {
      return Rejections.reply(GrpcReplies.rejection(e).orElseThrow(() -> e));
    }
  }
}
