package io.solidus.edge.gateway.mailbox;

import io.grpc.stub.StreamObserver;
import io.solidus.platform.limits.Bulkhead;
import io.solidus.protocol.ProtocolException;
import io.solidus.protocol.Spec;
import io.solidus.wire.v1.MailExchangeServiceGrpc;
import io.solidus.wire.v1.PullReply;
import io.solidus.wire.v1.PullRequest;
import org.springframework.stereotype.Component;

/**
 * Answers other gateways. What a peer passed on is not passed on again, so messages go one step and
 * in no circle.
 */
@Component
@Spec("F-73")
class ExchangeEndpoint extends MailExchangeServiceGrpc.MailExchangeServiceImplBase {
  private static final int CALLS = 4;

  private final MailboxStore mailbox;
  private final Bulkhead calls = new Bulkhead(CALLS, "other peers are being answered");

  ExchangeEndpoint(MailboxStore mailbox) {
    this.mailbox = mailbox;
  }

  @Override
  public void pull(PullRequest request, StreamObserver<PullReply> observer) {
    long after = request.getAfter();
    int limit = request.getLimit();
    if (after < 0 || limit < 1 || limit > PulledPage.LIMIT) {
      throw ProtocolException.malformed("limit is 1 to " + PulledPage.LIMIT);
    }
    PullReply reply = calls.run(() -> mailbox.posted(after, limit));
    observer.onNext(reply);
    observer.onCompleted();
  }
}
