package io.solidus.loadtest.bench;

import io.grpc.Status;
import io.solidus.wire.v1.SubmitReply;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Sends each transfer to every authority. It is served when {@code quorum} of them have signed. */
record CommitteeTarget(List<AuthorityClient> authorities, int quorum)
    implements Target<EncodedTransfer> {

  @Override
  public void send(EncodedTransfer transfer, Answers answers) {
    AtomicInteger missing = new AtomicInteger(quorum);
    AtomicInteger outstanding = new AtomicInteger(authorities.size());
    for (AuthorityClient authority : authorities) {
      authority.submit(
          transfer.lead(),
          transfer.request(),
          (reply, status) -> {
            if (reply != null && reply.hasSigned()) {
              if (missing.decrementAndGet() == 0) {
                answers.served();
              }
            } else {
              answers.refused(reason(reply, status));
            }
            if (outstanding.decrementAndGet() == 0) {
              answers.finished();
            }
          });
    }
  }

  static String reason(@Nullable SubmitReply reply, Status status) {
    return reply == null ? status.getCode().name() : reply.getRejected().getCode();
  }
}
